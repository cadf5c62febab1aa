/** A class whose method rewrites Dynamo's graph, with a pattern with methods where the graph has Python’s operators. */
import { beforeAll, expect, it } from 'vitest'
import { applyEdits } from '../../explain/fixes/change'
import { nodeAssets } from '../../python/node_assets'
import { Session } from './session'

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "bf16[2, 8]", L_w_: "bf16[8]"):
        l_x_ = L_x_
        l_w_ = L_w_
        h: "f32[2, 8]" = l_x_.to(torch.float32)
        pow_1: "f32[2, 8]" = h.pow(2)
        v: "f32[2, 1]" = pow_1.mean(-1, keepdim = True);  pow_1 = None
        add: "f32[2, 1]" = v + 1e-06;  v = None
        rsqrt: "f32[2, 1]" = torch.rsqrt(add);  add = None
        h_1: "f32[2, 8]" = h * rsqrt;  h = rsqrt = None
        to_1: "bf16[2, 8]" = h_1.to(torch.bfloat16);  h_1 = None
        mul_1: "bf16[2, 8]" = l_w_ * to_1;  l_w_ = to_1 = None
        return (mul_1,)
`

const FILE = `import torch
from torch.fx.subgraph_rewriter import replace_pattern_with_filters

class Norms:
    @staticmethod
    def pattern(x, weight, eps: float, dtype):
        h = x.to(torch.float32)
        variance = h.pow(2).mean(-1, keepdim=True)
        h = h.mul(torch.rsqrt(variance.add(eps)))
        return weight.mul(h.to(dtype))

    @staticmethod
    def replacement(x, weight, eps: float, dtype):
        return torch.nn.functional.rms_norm(x, normalized_shape=weight.shape, weight=weight, eps=eps)

    def rewrite(self, gm: torch.fx.GraphModule) -> int:
        return len(replace_pattern_with_filters(gm, self.pattern, self.replacement))
`

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

function reportOf(text: string, passes?: string[]) {
  return session.analyzeWhole(
    {
      name: 'forms',
      graph: { name: 'graph.txt', text: GRAPH },
      files: [{ name: 'p.py', text }],
      options: { timeLimitS: 10 },
      ...(passes && { passes }),
    },
    { fixes: true },
  ).report
}

it('proposes the method of a class that nothing names a pass', () => {
  const stages = reportOf(FILE).pipeline!.stages.filter((s) => s.kind === 'call')
  expect(stages.map(({ name, off }) => [name, off?.why])).toEqual([['Norms.rewrite', 'proposed']])
})

it('writes what the graph calls, and compares the values', () => {
  const [miss] = reportOf(FILE, ['Norms.rewrite']).passes[0]!.nearMisses
  expect(miss).toMatchObject({ score: 8, of: 8 })
  expect(miss!.causes![0]!.reason).toMatchObject({ kind: 'other-call', expected: '.mul', found: 'operator.mul' })
  const [fix] = miss!.causes!.flatMap((c) => c.fixes ?? [])
  expect(fix).toMatchObject({ title: 'Write .mul as *, and write .add as +', verified: true, numbers: 'close' })
  const fixed = applyEdits(FILE, fix!.edits)
  expect(fixed).toContain('h = h * torch.rsqrt(variance + eps)')
  expect(fixed).toContain('return weight * h.to(dtype)')
  expect(reportOf(fixed, ['Norms.rewrite']).passes[0]!.matches).toHaveLength(1)
})

const HANDLED = `import torch
from torch._inductor.pattern_matcher import CallFunction, KeywordArg, PatternMatcherPass, register_graph_pattern
patterns = PatternMatcherPass()
squares = CallFunction(torch.mean, CallFunction(torch.pow, KeywordArg("a"), 2), -1, keepdim=True)
@register_graph_pattern(CallFunction(torch.add, squares, 1e-6), pass_dict=patterns)
def handler(match, a):
    with match.graph.inserting_before(match.output_node()):
        mean = match.graph.call_function(torch.mean, (match.graph.call_method("square", (a,)), -1), {"keepdim": True})
        match.output_node().replace_all_uses_with(match.graph.call_function(torch.add, (mean, 1e-6)))
`

it('writes CallMethod and Python’s operators in a pattern with a handler, and imports them', () => {
  const [miss] = reportOf(HANDLED).passes[0]!.nearMisses
  const [fix] = miss!.causes!.flatMap((c) => c.fixes ?? [])
  expect(fix).toMatchObject({ verified: true, numbers: 'equal' })
  const fixed = applyEdits(HANDLED, fix!.edits)
  expect(fixed).toContain('CallMethod("mean", CallMethod("pow", KeywordArg("a"), 2), -1, keepdim=True)')
  expect(fixed).toMatch(/^import operator$/m)
  expect(fixed).toContain('CallFunction(operator.add, squares, 1e-6)')
})
