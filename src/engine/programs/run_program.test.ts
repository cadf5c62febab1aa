/** Tests the programs that the Run panel requests beyond matches: registrations over given sizes, and whole graphs. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { runPrograms } from '../../gpu/run/run'
import type { RunPrograms, RunReport } from '../../gpu/types'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace/types'
import type { Report } from '../protocol'
import { createSession, type Session } from '../session/session'

const example = (id: string): Workspace =>
  JSON.parse(
    readFileSync(new URL(`../../../public/examples/${id}/workspace.json`, import.meta.url), 'utf8'),
  ) as Workspace
const run = (programs: RunPrograms): Promise<RunReport> =>
  runPrograms(programs, { device: 'reference', tokens: 4 }, () => undefined, new AbortController().signal)

describe('programs of a registration', () => {
  let session: Session
  let report: Report
  beforeAll(async () => {
    session = createSession(nodeAssets())
    await session.ready
    report = session.analyze(example('silu-mul-block-quant')).report
  })

  it('run for each of the 16 block-quant variants; the eight with ue8m0 differ, for a proven reason', async () => {
    const pass = report.passes[0]!
    const variants = pass.entries.filter((e) => e.title === 'SiluMulBlockQuantPattern')
    expect(variants).toHaveLength(16)
    for (const e of variants) {
      const found = await run(session.variantProgram(pass.name, e.index, { input: [4, 512], scale: [1, 1] }))
      expect(found.problems).toEqual([])
      const ue8m0 = e.bindings['is_e8m0'] === 'True'
      expect([e.index, found.verdict.kind]).toEqual([e.index, ue8m0 ? 'different' : 'close'])
      expect(found.verdict.sentence.includes('does not implement ue8m0')).toBe(ue8m0)
    }
  })

  it('report an invalid size', () => {
    expect(() => session.variantProgram('nowhere', 0, {})).toThrow('no pattern 0')
  })
})

describe('programs of a whole graph', () => {
  it('compute the same values before and after', async () => {
    const session = createSession(nodeAssets())
    await session.ready
    session.analyze(example('rms-norm-int8'))
    const programs = session.graphProgram()
    expect(programs.unfused.outputs).toHaveLength(programs.fused.outputs.length)
    const report = await run(programs)
    expect(report.problems).toEqual([])
    expect(report.verdict.kind).toBe('equal')
  })
})

describe('the program of a match', () => {
  it('has the same inputs on both sides, even if one comes from another match', async () => {
    const session = createSession(nodeAssets())
    await session.ready
    const files = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass()
register_replacement(lambda x: -torch.relu(x), lambda x: torch.relu(x) * -1, [torch.empty(4, 8)], fwd_only, patterns)`
    const graph = `class M(torch.nn.Module):
    def forward(self, x: "f32[4, 8]"):
        relu: "f32[4, 8]" = torch.ops.aten.relu.default(x)
        neg: "f32[4, 8]" = torch.ops.aten.neg.default(relu)
        relu_1: "f32[4, 8]" = torch.ops.aten.relu.default(neg)
        neg_1: "f32[4, 8]" = torch.ops.aten.neg.default(relu_1)
        return (neg_1,)
`
    session.analyze({
      name: '',
      graph: { name: 'g', text: graph },
      files: [{ name: 'p.py', text: files }],
    } as Workspace)
    const [last, first] = [session.program('patterns', 0), session.program('patterns', 1)]
    expect([first, last].map((p) => p.fused.inputs.map((i) => i.name))).toEqual([['x'], ['neg']])
    expect((await run(last)).verdict.kind).toBe('equal')
  })

  it('compares only used outputs: the replacements of unused ones are gone', async () => {
    const session = createSession(nodeAssets())
    await session.ready
    const files = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass()
def search(x):
    y = torch.relu(x)
    return -y, y
def replace(x):
    y = torch.relu(x)
    return y * -1, y + 0.0
register_replacement(search, replace, [torch.empty(4, 8)], fwd_only, patterns)`
    const graph = `class M(torch.nn.Module):
    def forward(self, x: "f32[4, 8]"):
        relu: "f32[4, 8]" = torch.ops.aten.relu.default(x)
        neg: "f32[4, 8]" = torch.ops.aten.neg.default(relu)
        return (neg,)
`
    session.analyze({
      name: '',
      graph: { name: 'g', text: graph },
      files: [{ name: 'p.py', text: files }],
    } as Workspace)
    const programs = session.program('patterns', 0)
    expect(programs.unfused.outputs).toEqual(['neg'])
    expect((await run(programs)).verdict.kind).toBe('equal')
  })
})
