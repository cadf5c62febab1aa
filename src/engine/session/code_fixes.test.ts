/** Changes of code on the graph after which it edits it. */
import { beforeAll, expect, it } from 'vitest'
import { applyEdits } from '../../explain/fixes/change'
import { nodeAssets } from '../../python/node_assets'
import type { StageCondition } from '../pipeline/types'
import type { Report } from '../protocol'
import { Session } from './session'

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 4]", y: "f32[4, 4]"):
        relu: "f32[2, 4]" = torch.ops.aten.relu.default(x)
        mm: "f32[2, 4]" = torch.ops.aten.mm.default(relu, y)
        add: "f32[2, 4]" = torch.ops.aten.add.Tensor(mm, relu)
        mul: "f32[2, 4]" = torch.ops.aten.mul.Tensor(add, 2)
        return (mul,)
`

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

function fixed(
  text: string,
  edit: string,
  graph = GRAPH,
): { condition: StageCondition | undefined; text: string; report: Report } {
  const file = `import torch
from torch.fx.passes.infra.pass_base import PassBase, PassResult
aten = torch.ops.aten
${text}                ${edit}
        return PassResult(gm, False)
`
  const { report } = session.analyzeWhole(
    {
      name: 'fixed',
      graph: { name: 'graph.txt', text: graph },
      files: [{ name: 'p.py', text: file }],
      options: { timeLimitS: 10 },
    },
    { fixes: true },
  )
  const stage = report.pipeline!.stages.find((s) => s.kind === 'call')!
  const condition = stage.did?.conditions?.find((c) => c.fixes)
  return { condition, text: applyEdits(file, condition?.fixes?.[0]?.edits ?? []), report }
}

const inLoop = (test: string) => `class P(PassBase):
    def call(self, gm):
        for n in gm.graph.nodes:
            if ${test}:
`
const SAME = 'n.target, n.args = aten.clamp_min.default, (n.args[0], 0)'

it.each([
  ['a packet', 'n.target == aten.relu', 'n.target == aten.relu.default'],
  ['a function of torch', 'n.target is torch.relu', 'n.target is torch.ops.aten.relu.default'],
  [
    'another overload',
    'n.target in (aten.relu.out, aten.gelu.default)',
    'n.target in (aten.relu.default, aten.gelu.default)',
  ],
])('asks for what the graph calls in the place of %s', (_, test, now) => {
  const { condition, text } = fixed(inLoop(test), SAME)
  expect(condition?.fixes).toMatchObject([
    { verified: true, numbers: 'equal', matchesBefore: 0, matchesAfter: 1, code: true, kind: 'python' },
  ])
  expect(text).toContain(`if ${now}:`)
})

it('changes the list from which a condition takes it, and the condition behind it', () => {
  const { condition, text } = fixed(
    `class P(PassBase):
    WANTED = [aten.relu, aten.gelu]
    def call(self, gm):
        for n in gm.graph.nodes:
            if n.target in self.WANTED and any(u.target == aten.mm for u in n.users):
`,
    SAME,
  )
  expect(condition?.fixes?.[0]?.changes).toEqual([
    'Ask for aten.relu.default in the place of aten.relu',
    'Ask for aten.mm.default in the place of aten.mm',
  ])
  expect(text).toContain('WANTED = [aten.relu.default, aten.gelu]')
  expect(text).toContain('u.target == aten.mm.default')
})

it('runs code of the edge dialect on a graph of it', () => {
  const { condition } = fixed(
    `from executorch.exir.dialects._ops import ops as exir_ops\n${inLoop('n.target == exir_ops.edge.aten.relu.default')}`,
    SAME,
  )
  expect(condition?.fixes).toMatchObject([
    {
      title: 'Run the pass on a graph of the edge dialect',
      kind: 'graph',
      edits: [],
      numbers: 'equal',
      matchesAfter: 1,
    },
  ])
  expect(condition?.fixes?.[0]?.diff).toContain('+%relu : [num_users=2] = call_function[target=edge.aten.relu.default]')
})

it('tries changes of patterns beside the code, too', () => {
  const pattern = `from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass()
def search(x, y): return (x + y) * 3
def replace(x, y): return torch.ops.mine.scaled(x, y)
register_replacement(search, replace, [torch.empty(2, 4), torch.empty(2, 4)], fwd_only, patterns)
`
  const { report, condition } = fixed(pattern + inLoop('n.target == aten.relu'), SAME)
  expect(condition?.fixes).toHaveLength(1)
  const causes = report.passes.flatMap((p) => p.nearMisses.flatMap((m) => m.causes ?? []))
  expect(causes[0]?.tried?.[0]).toMatchObject({ title: 'Change 3 to 2 (line 6)', matchesAfter: 1 })
})

it('lists a change that changes the values, or after which the code raises', () => {
  const differs = fixed(inLoop('n.target == aten.relu'), 'n.target = aten.sigmoid.default').condition
  expect(differs).toMatchObject({ fixes: [], tried: [{ verified: false, numbers: 'different' }] })
  const raises = fixed(inLoop('n.target == aten.relu'), 'n.target = n.args[7]').condition
  expect(raises?.tried?.[0]?.numbersDetail.reason).toMatch(/^the code then raises IndexError/)
})

it('writes no call that a graph names and that may do more than compute, because code calls what its conditions name', () => {
  const own = `torch.library.define("mylib::save", "(Tensor x) -> Tensor")
OP = torch.ops.mylib.save.default
def check():
    return OP(torch.ones(2))

${inLoop('n.target == OP')}`
  const graph = GRAPH.replace('aten.relu.default', 'image.save.default')
  const { condition } = fixed(own, 'n.target = aten.relu.default', graph)
  expect(condition?.fixes).toMatchObject([{ edits: [], diff: '', code: true }])
  expect(condition?.fixes?.[0]?.title).toMatch(/not written as code, because image\.save\.default is not known/)
})
