/** Tests the values of each match of a run: they hold, they differ, or why they were not compared. */
import { beforeAll, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { caseRun } from '../cases/cases'
import { Interpreter } from '../run/interpreter'
import { matchNumbers } from './match_numbers'
import { matchNumbersText } from './match_numbers_text'

let interpreter: Interpreter
beforeAll(async () => {
  interpreter = await Interpreter.start(nodeAssets())
})

const GRAPH = `class M(torch.nn.Module):
    def forward(self, x: "f32[8, 16]", y: "f32[8, 16]"):
        add: "f32[8, 16]" = torch.ops.aten.add.Tensor(x, y)
        relu: "f32[8, 16]" = torch.ops.aten.relu.default(add)
        return (relu,)
`
function saidOf(pattern_py: string, total?: number): string[] {
  const { run } = caseRun(interpreter, { id: '', pattern_py, graph: GRAPH }, 'report')
  return matchNumbers(interpreter, run, 10_000, total).map(matchNumbersText)
}

function said(replacement: string, total?: number): string[] {
  return saidOf(
    `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass()
def search(x, y): return torch.relu(x + y)
def replace(x, y): return ${replacement}
register_replacement(search, replace, [torch.empty(4, 4), torch.empty(4, 4)], fwd_only, patterns)
`,
    total,
  )
}

it('says where the numbers hold', () => {
  expect(said('torch.relu(y + x)')).toEqual([
    expect.stringMatching(/^relu: fires, and the numbers stay equal, bit for bit/),
  ])
})

it('names the node and the size of a difference', () => {
  expect(said('torch.relu(x - y)')).toEqual([
    expect.stringMatching(/^relu: fires, and the numbers differ in relu by [\d.]+ with \w+ inputs: Not equal/),
  ])
})

it('says why they were not compared', () => {
  expect(said('torch.ops.mine.fused(x, y)')).toEqual([
    expect.stringContaining('fires; the numbers were not compared: mine.fused.default has no definition here'),
  ])
})

it('says that the time for all matches is over', () => {
  expect(said('torch.relu(y + x)', -1)).toEqual([
    expect.stringContaining('the numbers were not compared: the time limit for numeric comparisons was reached'),
  ])
})

const inLoop = (body: string, after = 'return PassResult(gm, True)') => `import torch
from torch.fx.passes.infra.pass_base import PassBase, PassResult
aten = torch.ops.aten
class P(PassBase):
    def call(self, gm):
        graph = gm.graph
        for n in list(graph.nodes):
            if n.target is aten.relu.default:
${body.replace(/^/gm, '                ')}
        ${after}
`

const TRANSFORMED = 'return PassResult(torch.fx.Transformer(gm).transform(), True)'

it.each([
  [
    'changes a node in place',
    'n.target, n.args = aten.clamp_min.default, (n.args[0], 0)',
    'relu: edited, and the numbers stay equal',
  ],
  [
    'replaces a node',
    'with graph.inserting_before(n):\n    m = graph.call_function(aten.clamp_min.default, (n.args[0], 0))\nn.replace_all_uses_with(m)\ngraph.erase_node(n)',
    'relu: edited, and the numbers stay equal',
  ],
  ['changes the values', 'n.target = aten.sigmoid.default', 'relu: edited, and the numbers differ in relu by'],
  ['takes a node away', 'n.replace_all_uses_with(n.args[0])', 'relu: edited, and the numbers differ in relu by'],
])('compares the edits of code that %s', (_, body, message) => {
  expect(saidOf(inLoop(body))).toEqual([expect.stringContaining(message)])
  expect(saidOf(inLoop(body, TRANSFORMED))).toEqual([expect.stringContaining(message)])
})

it('compares nothing where code takes dead nodes away or copies the graph', () => {
  expect(saidOf(inLoop('m = graph.call_function(aten.neg.default, (n,))\ngraph.erase_node(m)', TRANSFORMED))).toEqual(
    [],
  )
})

it('compares what a transformer put in the place of a value, not what follows from it', () => {
  const text = `import torch
from torch.fx.passes.infra.pass_base import PassBase, PassResult
aten = torch.ops.aten
class Two(torch.fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is aten.add.Tensor:
            return super().call_function(aten.sub.Tensor, (args[0], super().call_function(aten.neg.default, args[1:], {})), {})
        return super().call_function(target, args, kwargs)
class P(PassBase):
    def call(self, gm):
        return PassResult(Two(gm).transform(), True)
`
  expect(saidOf(text)).toEqual([expect.stringMatching(/^add: edited, and the numbers stay equal, bit for bit/)])
})

it('computes functions of torch, and operators that decompose, by the operators that PyTorch runs for them', () => {
  const equal = [expect.stringMatching(/^relu: fires, and the numbers stay equal, bit for bit/)]
  expect(said('torch.nn.functional.threshold(x + y, 0, 0)')).toEqual(equal)
  expect(said('torch.ops.aten.hardtanh.default(x + y, 0.0, float("inf"))')).toEqual(equal)
})
