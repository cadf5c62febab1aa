/** A session over a workspace that comes from a capture: recorded, with its sources, and edited. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace/types'
import type { Report } from '../protocol'
import { createSession, type Session } from '../session/session'
import { readCapture } from './read'
import { runsOf } from './replay'
import { isAsRecorded, workspaceOfCapture } from './workspace'

function workspaceOf(name: string, run = 0): Workspace {
  const file = new URL(`../../../conformance/captures/${name}.fusescope.gz`, import.meta.url)
  const text = gunzipSync(readFileSync(file)).toString()
  const read = readCapture(text, `${name}.fusescope`)
  if (!read.ok) throw new Error(read.error.message)
  return workspaceOfCapture(read.value, text, runsOf(read.value)[run]!.run)
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
  })

  it('holds only the records of its run', () => {
    const one = workspaceOf('vllm-rms-norm-quant', 3)
    expect(one.capture!.text.length).toBeLessThan(1_000_000)
    const { report } = session.analyze(one)
    expect(report.passes.map((p) => [p.count, p.pytorch!.count, p.pytorch!.differences])).toEqual([[3, 3, []]])
  })
})
