/** A session over a workspace that comes from a capture: recorded, with its sources, and edited. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { graphsOf, withGraphs, withGraphShown } from '../../workspace/graphs'
import type { Workspace } from '../../workspace/types'
import type { Report } from '../protocol'
import { createSession, type Session } from '../session/session'
import { recordedCalls } from './own_files'
import { readCapture } from './read'
import { runsOf } from './runs'
import { capturedGraph, isAsRecorded, workspaceOfCapture } from './workspace'

function captured(name: string) {
  const file = new URL(`../../../conformance/captures/${name}.fusescope.gz`, import.meta.url)
  const text = gunzipSync(readFileSync(file)).toString()
  const read = readCapture(text, `${name}.fusescope`)
  if (!read.ok) throw new Error(read.error.message)
  return { capture: read.value, text }
}

function workspaceOf(name: string, run = 0): Workspace {
  const { capture, text } = captured(name)
  return workspaceOfCapture(capture, text, runsOf(capture)[run]!.run)
}

/** Two captures in one workspace; the second is shown. */
function both(first: string, second: string): Workspace {
  const workspace = workspaceOf(first)
  const { capture, text } = captured(second)
  const added = capturedGraph(capture, text, 0, { name: 'second.py.txt', files: workspace.files })
  return withGraphs(workspace, [...graphsOf(workspace), added], 1)
}

let session: Session
beforeAll(async () => {
  session = createSession(nodeAssets())
  await session.ready
})

const sentences = ({ passes }: Report) =>
  passes.flatMap((p) => p.nearMisses).flatMap((m) => (m.causes ?? []).map((c) => c.sentence))

describe('a workspace of a capture', () => {
  it('is analyzed, explained and exported before Python is ready', () => {
    const early = createSession(nodeAssets())
    const workspace = workspaceOf('compiled-model')
    expect([early.pythonReady(), early.isRecorded(workspace)]).toEqual([false, true])
    const { report } = early.analyzeWhole(workspace, { fixes: true })
    expect([early.pythonReady(), report.passes[0]!.count, report.capture!.agrees]).toEqual([false, 4, true])
    expect(early.steps('LinearSiluPass', 0, report.passes[0]!.matches[0]!.node).steps.length).toBeGreaterThan(5)
    expect(early.exported('script').text).toContain("{'LinearSiluPass': 4}")
    expect(() => early.analyze({ ...workspace, graph: { name: 'g.py', text: '' } })).toThrow('Python is not ready yet.')
  })

  it('has both verdicts, causes and a timeline, without running the files', () => {
    const workspace = workspaceOf('compiled-model')
    expect(workspace.files.map((f) => f.name)).toEqual(['compiled_model.py'])
    const { report } = session.analyzeWhole(workspace, { fixes: true })
    expect(report.capture).toEqual({
      file: 'compiled-model.fusescope',
      torch: '2.14.1',
      compile: '0/0',
      replaced: 4,
      edited: false,
      agrees: true,
      notes: [],
    })
    const [pass] = report.passes
    expect([pass!.name, pass!.count, pass!.pytorch!.count]).toEqual(['LinearSiluPass', 4, 4])
    expect(pass!.pytorch!.nodes.find((n) => n.node === 'relu_9')).toEqual({
      entry: 0,
      node: 'relu_9',
      outcome: 'failed',
      phase: 'initial',
      reason: expect.stringContaining('function_mismatch: node=mm') as string,
    })
    expect(sentences(report).length).toBeGreaterThan(1)
    const fired = pass!.matches[0]!
    const { steps } = session.steps(pass!.name, fired.entry, fired.node)
    expect(steps.at(-1)).toMatchObject({ kind: expect.any(String) as string })
    expect(session.steps(pass!.name, 0, fired.node).steps.length).toBeGreaterThan(5)
    expect(report.pipeline!.stages.map((s) => s.name)).toEqual(['LinearSiluPass', 'eliminate_dead_code'])
  })

  it('is explained by the lines of its files, which register what was recorded', () => {
    const { report } = session.analyzeWhole(workspaceOf('compiled-model'))
    expect(report.capture).toMatchObject({ edited: false, agrees: true })
    expect(sentences(report)[0]).toContain('returned False at compiled_model.py:30: columns <= rows is 128 <= 32')
    expect(session.explainableRun().recorded).toBeNull()
    const other = workspaceOf('vllm-pass-pipeline')
    session.analyze({ ...other, files: [] })
    expect(session.explainableRun()).toBe(session.lastRun())
  })

  it('calls what registered in the recorded process, if importing the files does not', () => {
    const { capture } = captured('compiled-model')
    const frames = [
      ['/home/me/fusion/rms.py', 3, '__init__'],
      ['/home/me/fusion/rms.py', 5, 'install'],
      ['train.py', 2, 'main'],
    ] as const
    const entries = new Map([...capture.entries].map(([id, e]) => [id, { ...e, registered: frames }]))
    const calls = (install: string, names = ['fusion/rms.py', 'train.py']): string[] => {
      const rms = `class P:\n    def __init__(self):\n        pass\n${install}    P()\n`
      const files = names.map((name, i) => ({ name, text: i === 0 ? rms : 'def main():\n    pass\n' }))
      return recordedCalls({ ...capture, entries }, 0, files, (text) => session.interpreter.host.syntax(text))
    }
    expect(calls('def install(eps=1e-6, *, n=2):\n')).toEqual(['fusion.rms.install'])
    expect(calls('def install(eps):\n')).toEqual(['train.main'])
    expect(calls('def install(*, n):\n')).toEqual(['train.main'])
    expect(calls('def install():\n', ['other.py', 'last.py'])).toEqual([])
    const install = 'def install():\n'
    expect(calls(`# An edit.\n${install}`)).toEqual(['fusion.rms.install'])
    // A file name that is no module's, and the file of another folder.
    expect(calls(install, ['rms.py;evil().py', 'train.py'])).toEqual(['train.main'])
    expect(calls(install, ['fusion/rms.py', 'rms.py', 'train.py'])).toEqual(['fusion.rms.install'])
    // A method of the name.
    expect(calls(`    def install(self):\n        P()\n${install}`)).toEqual(['train.main'])
  })

  it('makes these calls for files that need them only, as they are edited', () => {
    const text = captured('compiled-model').text.replaceAll('42,"<module>"', '42,"install"')
    const read = readCapture(text, 'called.fusescope')
    if (!read.ok) throw new Error(read.error.message)
    const workspace = workspaceOfCapture(read.value, text, 0)
    const [file] = workspace.files
    const counts = (registers: string) => {
      const edited = file!.text.replace('linear_silu = LinearSiluPass()', registers)
      const { report } = session.analyze({ ...workspace, files: [{ ...file!, text: edited }] })
      return [report.python, report.passes.map((p) => [p.entries.length, p.count]), report.capture!.notes.length]
    }
    const install = 'linear_silu = None\n\ndef install():\n    global linear_silu\n    linear_silu = LinearSiluPass()\n'
    const renamed = install.replace('install', 'inst')
    expect(counts(renamed)).toEqual([null, [], 0])
    expect(counts(install)).toEqual([null, [[1, 4]], 1])
    expect(counts(`${install}\ninstall()\n`)).toEqual([null, [[1, 4]], 0])
    expect(counts(install)).toEqual([null, [[1, 4]], 1])
    expect(counts(renamed)).toEqual([null, [], 0])
  })

  it('shows code between two passes as a stage', () => {
    const { report } = session.analyzeWhole(workspaceOf('vllm-pass-pipeline'))
    expect(report.passes.map((p) => [p.name, p.count, p.pytorch!.count, p.pytorch!.differences])).toEqual([
      ['RMSNormQuantFusionPass', 2, 2, []],
      ['SiluMulQuantFusionPass', 2, 2, []],
    ])
    expect(report.capture!.agrees).toBe(true)
  })

  it('runs the files once they are edited, and keeps PyTorch’s verdict beside the new one', () => {
    const workspace = workspaceOf('compiled-model')
    const files = workspace.files.map((f) => ({
      ...f,
      text: f.text.replace('torch.relu(torch.addmm', 'torch.sigmoid(torch.addmm'),
    }))
    const edited = { ...workspace, files }
    expect([isAsRecorded(workspace), isAsRecorded(edited)]).toEqual([true, false])
    const { report } = session.analyze(edited)
    expect(report.python).toBeNull()
    expect(report.capture).toMatchObject({ edited: true, agrees: false })
    const spaced = { ...workspace, files: workspace.files.map((f) => ({ ...f, text: `${f.text}\n` })) }
    const same = session.analyze(spaced).report
    expect(same.passes.map((p) => [p.count, p.pytorch?.count, p.pytorch?.differences])).toEqual([[4, 4, []]])
    // A process answers after the edit.
    expect(session.pytorchAnswer(captured('compiled-model').text)).toMatchObject({
      capture: { now: true, replaced: 4, agrees: true },
      verdicts: [{ count: 4, differences: [] }],
    })
    expect(session.pytorchAnswer('{')).toBeNull()
  })

  it('holds only the records of its run', () => {
    const one = workspaceOf('vllm-rms-norm-quant', 3)
    expect(one.capture!.text.length).toBeLessThan(1_000_000)
    const { report } = session.analyze(one)
    expect(report.passes.map((p) => [p.count, p.pytorch!.count, p.pytorch!.differences])).toEqual([[3, 3, []]])
  })
})

describe('two captures in one workspace', () => {
  it('are replayed each with its own patterns, and compared before Python is ready', () => {
    const early = createSession(nodeAssets())
    const workspace = both('versions-first', 'versions-pattern')
    expect(early.analyze(workspace).report.capture).toMatchObject({ replaced: 1, agrees: true, edited: false })
    const { old, now, lost, patterns } = early.compare('captured_graph.py.txt', 'old')
    expect([old.name, now.name]).toEqual(['versions-first.fusescope', 'versions-pattern.fusescope'])
    expect(lost.map((m) => m.sentence)).toEqual([expect.stringMatching(/^The pattern changed: aten\.relu\.default/)])
    expect(patterns).toHaveLength(1)
    const first = withGraphShown(workspace, 'captured_graph.py.txt')
    expect(early.analyze(first).report.capture).toMatchObject({ replaced: 3, agrees: true })
    expect(early.compare('second.py.txt', 'new').lost).toHaveLength(1)
    expect(early.pythonReady()).toBe(false)
  })

  it('compares a capture with a graph of no capture by the recorded patterns', () => {
    const workspace = workspaceOf('versions-first')
    const plain = {
      name: 'plain.py.txt',
      text: workspace.graph.text.replaceAll('aten.tanh.default', 'aten.sin.default'),
    }
    const two = withGraphs(workspace, [...graphsOf(workspace), plain], 0)
    session.analyze(two)
    const { lost, kept, changes } = session.compare('plain.py.txt', 'new')
    expect(changes).toHaveLength(1)
    expect(lost).toMatchObject([{ title: 'tanh_search', how: 'undone' }])
    expect(kept).toEqual([{ pass: expect.any(String) as string, count: 2 }])
    expect(session.compare('plain.py.txt', 'old').won).toMatchObject([{ title: 'tanh_search', how: 'undone' }])
  })

  it('runs the files on both graphs once they are edited', () => {
    const workspace = both('versions-first', 'versions-model')
    const [file] = workspace.files
    const edited = { ...workspace, files: [{ ...file!, text: `${file!.text}\n# edited\n` }] }
    session.analyze(edited)
    expect(session.compare('captured_graph.py.txt', 'old').patterns).toBeUndefined()
  })
})
