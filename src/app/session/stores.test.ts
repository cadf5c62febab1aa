import { beforeEach, describe, expect, it } from 'vitest'
import type { Cause, Fix } from '../../engine/protocol'
import { fused, report } from '../testing/report_fixture'
import { graphsOf } from '../../workspace'
import { INITIAL_RUN, isStale, withColumn, withFixes, withReport, type RunState } from './run_store'
import { EMPTY_WORKSPACE, freeName, tabsOf, useWorkspace } from './workspace_store'

const store = useWorkspace.getState
beforeEach(() =>
  store().load(
    {
      ...EMPTY_WORKSPACE,
      files: [
        { name: 'a.py', text: '1' },
        { name: 'b.py', text: '2' },
      ],
    },
    'own',
  ),
)

describe('the workspace', () => {
  it('gives each change a new version, and none to a text that is the same', () => {
    const { version } = store()
    store().setText('a.py', '1')
    expect(store().version).toBe(version)
    store().setText('a.py', '3')
    expect(store().version).toBe(version + 1)
    expect(store().workspace.files[0]!.text).toBe('3')
  })
  it('keeps names unique and says why one cannot be used', () => {
    expect(store().renameFile('a.py', 'b.py')).toBe('There is a file called b.py already.')
    expect(store().renameFile('a.py', '../a.py')).toContain('a slash makes a folder')
    expect(store().renameFile('a.py', 'x/y.py')).toBeNull()
    expect(store().renameFile('x/y.py', 'a.py')).toBeNull()
    expect(store().renameFile('a.py', 'c.py')).toBeNull()
    expect(store().addFile('c.py')).toBe('c_2.py')
    expect(freeName('graph.txt', ['graph.txt', 'graph_2.txt'])).toBe('graph_3.txt')
  })
  it('follows the open tab through rename, delete and restore', () => {
    store().open('b.py')
    store().renameFile('b.py', 'c.py')
    expect(store().openFile).toBe('c.py')
    const gone = store().deleteFile('c.py')
    expect([gone?.text, store().openFile]).toEqual(['2', 'a.py'])
    store().restoreFile(gone!, 1)
    expect(tabsOf(store().workspace).map((f) => f.name)).toEqual(['a.py', 'c.py', 'graph.txt'])
  })
  it('takes a folder of files as one change, in place of those of the same name, and gives it back', () => {
    const { files, version } = { files: store().workspace.files, version: store().version }
    const folder = ['f/__init__.py', 'f/pass.py'].map((name) => ({ name, text: 'PatternMatcherPass()' }))
    store().putFiles([...folder, { name: 'a.py', text: 'new' }])
    expect(store().version).toBe(version + 1)
    expect(store().workspace.files.map((f) => f.name)).toEqual(['b.py', 'f/__init__.py', 'f/pass.py', 'a.py'])
    expect(store().openFile).toBe('f/pass.py')
    store().restoreFiles(files, 'b.py')
    expect([store().workspace.files, store().openFile]).toEqual([files, 'b.py'])
  })
  it('replaces the graph, and drops shapes that belonged to the old one', () => {
    store().load({ ...store().workspace, shapes: { name: 'readable.py', text: 's' } }, 'own')
    store().setGraph({ name: 'a.py', text: 'graph():' })
    expect(store().workspace.shapes).toBeUndefined()
    expect(store().workspace.graph.name).toBe('a_2.py')
  })
})

describe('several graphs', () => {
  const text = 'graph():'
  const names = (): string[] => graphsOf(store().workspace).map((g) => g.name)

  it('stand beside each other under names of their own, and an empty one makes room', () => {
    expect(store().addGraphs([1, 2].map((n) => ({ name: 'g.txt', text: `${text}${n}` })))).toEqual(['g.txt', 'g_2.txt'])
    expect(store().addGraphs([{ name: 'a.py', text }])).toEqual(['a_2.py'])
    expect([names(), store().workspace.graph.name]).toEqual([['g.txt', 'g_2.txt', 'a_2.py'], 'a_2.py'])
    expect(store().renameFile('b.py', 'g.txt')).toBe('There is a file called g.txt already.')
  })

  it('are changed one at a time; the tab follows the graph, and a Python file stays open', () => {
    store().addGraphs(['g', 'h'].map((name) => ({ name, text: name })))
    store().showGraph('h')
    expect(store().openFile).toBe('h')
    store().setText('h', 'edited')
    store().open('a.py')
    store().showGraph('g')
    expect([store().openFile, graphsOf(store().workspace)[1]]).toEqual(['a.py', { name: 'h', text: 'edited' }])
  })

  it('that are taken out can be had back', () => {
    store().addGraphs(['g', 'h', 'i'].map((name) => ({ name, text: name })))
    store().showGraph('i')
    const before = store().workspace
    store().removeGraph()
    expect([names(), store().workspace.graph.name]).toEqual([['g', 'h'], 'h'])
    store().restoreGraphs(before, 'i')
    expect([store().workspace, store().openFile]).toEqual([before, 'i'])
  })
})

describe('what the passes did on several graphs', () => {
  const state = (more: Partial<RunState>): RunState => ({ ...INITIAL_RUN, ...more })
  const column = (graph: string, n: number) => ({ graph, fired: [[n]], problem: null })

  it('stays on screen until the next run has counted again', () => {
    const first = { ...fused(), columns: [column('g', 1), column('h', 0)] }
    const s = state({ ...withReport(state({}), first, 1) })
    expect(s.columnsKnown).toBe(2)
    const next = { ...s, ...withReport(s, fused(), 2) }
    expect([next.report?.columns, next.columnsKnown]).toEqual([first.columns, 0])
    const counted = { ...next, ...withColumn(next, column('g', 5), 2) }
    expect([counted.report?.columns, counted.columnsKnown]).toEqual([[column('g', 5), column('h', 0)], 1])
    expect(withColumn(next, column('g', 5), 1)).toEqual({})
  })
})

describe('the last good report', () => {
  const state = (more: Partial<RunState>): RunState => ({ ...INITIAL_RUN, ...more })
  const python = { type: 'SyntaxError', message: 'invalid syntax', frames: [], traceback: '' }
  it('stays, stale, when Python fails, and the failure is told beside it', () => {
    const good = fused()
    const s = state({ report: good, reportVersion: 1 })
    const next = { ...s, ...withReport(s, report({ python }), 2) }
    expect(next.report).toBe(good)
    expect(next.python).toBe(python)
    expect(isStale(next, 2)).toBe(true)
  })
  it('stays when nothing could be registered, with the reason and its repairs beside it', () => {
    const good = fused()
    const cause = { kind: 'duplicate-pattern', sentence: 'registered twice' } as Cause
    const failed = { ...INITIAL_RUN, report: good, reportVersion: 1 }
    const s = { ...failed, ...withReport(failed, report({ python, causes: [cause] }), 2) }
    expect([s.report, s.early?.causes]).toEqual([good, [cause]])
    const found = { pass: null, miss: null, cause: 0, fixes: [{ title: 'Skip it' } as Fix] }
    expect(withFixes(s, [found], 2).early?.causes[0]?.fixes?.[0]?.title).toBe('Skip it')
    expect(withFixes(s, [found], 9)).toEqual({})
    expect(withReport(s, fused(), 3).early).toBeNull()
  })
  it('is replaced by the next good one', () => {
    const s = state({ report: fused(), reportVersion: 1, python, failure: 'Stopped' })
    const next = { ...s, ...withReport(s, fused(), 2) }
    expect([next.python, next.failure, isStale(next, 2)]).toEqual([null, null, false])
  })
  it('a first report with a failure is shown: there is nothing better', () => {
    const failed = report({ python })
    expect(withReport(state({}), failed, 1).report).toBe(failed)
  })
})
