/** Results that rest on the answers of stubs: what decided them, and where it is reported. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { explainCase, matchCase } from '../cases/cases'
import { Interpreter } from '../run/interpreter'
import { diagnosesOf } from '../report/diagnoses'
import { stubDecisions } from '../report/stub_decisions'
import { Session } from './session'

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 4]"):
        relu: "f32[8, 4]" = torch.ops.aten.relu.default(x);  x = None
        neg: "f32[8, 4]" = torch.ops.aten.neg.default(relu);  relu = None
        return (neg,)
`
const HEAD = `import torch, acme
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass()
def search(x):
    return torch.neg(torch.relu(x))
def register(check=None):
    args = {} if check is None else {"extra_check": check}
    register_replacement(search, torch.tanh, [torch.empty(8, 4)], fwd_only, patterns, **args)
`
const CHECKED = `${HEAD}def check(match):
    return not acme.kernels.refuses(match) and bool(acme.kernels.supported)
register(check)
`
const BRANCHED = `${HEAD}if acme.has_kernels():
    register()
`
const PASSED = `${HEAD}register(lambda match: not acme.kernels.refused)
`

let session: Session
let interpreter: Interpreter
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
  interpreter = await Interpreter.start(nodeAssets())
})

const analyzed = (text: string) =>
  session.analyzeWhole({
    name: 'stubs',
    graph: { name: 'graph.py', text: GRAPH },
    files: [{ name: 'patterns.py', text }],
    options: { timeLimitS: 10 },
  }).report

const caseOf = (text: string) => ({
  id: 'stubs',
  pattern_py: '',
  graph: GRAPH,
  files: [{ name: 'patterns.py', text }],
})

describe('a result that rests on a stub', () => {
  it('has causes that name the stub and its line where an extra_check used its answer', () => {
    const report = analyzed(CHECKED)
    const cause = report.passes[0]!.nearMisses[0]!.causes![0]!
    expect(cause).toMatchObject({ kind: 'extra-check', stubs: [{}, { asked: 'kernels.supported' }] })
    expect(cause.sentence).toMatch(
      /; this rests on stubs: acme\.kernels\.refuses\(\), which answered False at patterns\.py:10 and acme\.kernels\.supported, which answered False at patterns\.py:10$/,
    )
    expect(stubDecisions(report.stubs, report.passes)).toMatchObject([
      { phase: 'extra_check', asked: 'kernels.refuses()', source: { line: 10, fn: 'check' } },
      { phase: 'extra_check', asked: 'kernels.supported', source: { line: 10, fn: 'check' } },
    ])
    expect(report.stubs.flatMap((s) => s.decided ?? [])).toHaveLength(2)
  })

  it('names the stub in the cause of a pass whose registration a branch left out', () => {
    const report = analyzed(BRANCHED)
    const cause = report.passes[0]!.causes![0]!
    expect(cause.sentence).toMatch(
      /; this rests on a stub: acme\.has_kernels\(\), which answered False at patterns\.py:9$/,
    )
    expect(report.stubs[0]!.decided).toMatchObject([
      { answer: 'False', phase: 'load', source: { line: 9, code: 'if acme.has_kernels():' } },
    ])
  })

  it('names the stub in the cause of the pattern whose search function a branch decided', () => {
    const traced = `${HEAD}def branched(x):
    return torch.neg(torch.relu(x)) if acme.fused else torch.exp(torch.relu(x))
register_replacement(branched, torch.tanh, [torch.empty(8, 4)], fwd_only, patterns)
register_replacement(lambda x: torch.exp(torch.neg(x)), torch.tanh, [torch.empty(8, 4)], fwd_only, patterns)
`
    const { nearMisses, causes } = analyzed(traced).passes[0]!
    const of = (entry: number) => [
      ...nearMisses.filter((m) => m.entry === entry).map((m) => m.causes![0]!),
      ...causes!.filter((c) => c.entry === entry),
    ]
    expect(of(0).length).toBeGreaterThan(0)
    for (const cause of of(0)) {
      expect(cause.stubs).toMatchObject([{ asked: 'fused', phase: 'trace', source: { line: 10, fn: 'branched' } }])
      expect(cause.sentence).toMatch(/; this rests on a stub: acme\.fused, which answered False at patterns\.py:10$/)
    }
    for (const cause of of(1)) expect(cause).not.toHaveProperty('stubs')
  })

  it('is marked when a check passed by the answer', () => {
    const report = analyzed(PASSED)
    expect(report.passes[0]!.count).toBe(1)
    expect(stubDecisions(report.stubs, report.passes)).toMatchObject([
      { asked: 'kernels.refused', phase: 'extra_check' },
    ])
    expect(stubDecisions(analyzed(`${HEAD}register()`).stubs)).toEqual([])
  })

  it('is printed as such by match and explain', () => {
    expect(matchCase(interpreter, caseOf(PASSED)).stubs).toEqual([
      {
        ...{ module: 'acme', asked: 'kernels.refused', answer: 'False', phase: 'extra_check' },
        source: {
          ...{ file: 'patterns.py', line: 9 },
          code: 'register(lambda match: not acme.kernels.refused)',
        },
      },
    ])
    const explained = diagnosesOf(explainCase(interpreter, caseOf(CHECKED)))
    expect(explained.stubs).toHaveLength(2)
    expect(explained.diagnoses[0]!.causes[0]!.stubs).toEqual(explained.stubs)
    expect(matchCase(interpreter, caseOf(`${HEAD}register()`))).not.toHaveProperty('stubs')
  })
})
