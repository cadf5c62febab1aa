import { beforeEach, describe, expect, it } from 'vitest'
import { EMPTY_WORKSPACE, freeName, tabsOf, useWorkspace } from './workspace_store'
import { graphsOf } from '../../workspace'

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
  it('gives each change a new version, but not an unchanged text', () => {
    const { version } = store()
    store().setText('a.py', '1')
    expect(store().version).toBe(version)
    store().setText('a.py', '3')
    expect(store().version).toBe(version + 1)
    expect(store().workspace.files[0]!.text).toBe('3')
  })
  it('keeps names unique and reports why a name is invalid', () => {
    expect(store().renameFile('a.py', 'b.py')).toBe('There is already a file called b.py.')
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
  it('adds a folder of files as one change, replaces files of the same name, and undoes it', () => {
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

  it('get unique names, and replace an empty graph', () => {
    expect(store().addGraphs([1, 2].map((n) => ({ name: 'g.txt', text: `${text}${n}` })))).toEqual(['g.txt', 'g_2.txt'])
    expect(store().addGraphs([{ name: 'a.py', text }])).toEqual(['a_2.py'])
    expect([names(), store().workspace.graph.name]).toEqual([['g.txt', 'g_2.txt', 'a_2.py'], 'a_2.py'])
    expect(store().renameFile('b.py', 'g.txt')).toBe('There is already a file called g.txt.')
  })

  it('are edited separately; the tab follows the shown graph, and a Python file stays open', () => {
    store().addGraphs(['g', 'h'].map((name) => ({ name, text: name })))
    store().showGraph('h')
    expect(store().openFile).toBe('h')
    store().setText('h', 'edited')
    store().open('a.py')
    store().showGraph('g')
    expect([store().openFile, graphsOf(store().workspace)[1]]).toEqual(['a.py', { name: 'h', text: 'edited' }])
  })

  it('can be removed and restored', () => {
    store().addGraphs(['g', 'h', 'i'].map((name) => ({ name, text: name })))
    store().showGraph('i')
    const before = store().workspace
    store().removeGraph()
    expect([names(), store().workspace.graph.name]).toEqual([['g', 'h'], 'h'])
    store().restoreGraphs(before, 'i')
    expect([store().workspace, store().openFile]).toEqual([before, 'i'])
  })
})
