/** Values of calls in graphs before AOTAutograd: those that the text leaves out are computed as Python computes them. */
import { beforeAll, expect, test } from 'vitest'
import { matchCase, type CaseInput } from '../src/engine/cases/cases'
import { Interpreter } from '../src/engine/run/interpreter'
import { nodeAssets } from '../src/python/node_assets'

let interpreter: Interpreter
beforeAll(async () => {
  interpreter = await Interpreter.start(nodeAssets())
}, 120_000)

const HANDLER = `import torch
from torch._inductor.pattern_matcher import CallFunctionVarArgs, CallMethodVarArgs, MULTIPLE, PatternMatcherPass, register_graph_pattern
patterns = PatternMatcherPass()
SPLITS = ["split", "chunk", "tensor_split", "unbind"]
@register_graph_pattern(CallMethodVarArgs(SPLITS, users=MULTIPLE), pass_dict=patterns)
@register_graph_pattern(CallFunctionVarArgs([getattr(torch, s) for s in SPLITS], users=MULTIPLE), pass_dict=patterns)
def handler(match, *args, **kwargs):
    values = match.nodes[0].meta["example_value"]
    raise ValueError([tuple(t.shape) for t in values])
`

/** What a handler reads as the values of the call. */
function valuesOf(call: string, shapes?: Record<string, string>): string | null {
  const graph = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %made : [num_users=1] = ${call}
    %item : [num_users=1] = call_function[target=operator.getitem](args = (%made, 0), kwargs = {})
    return (item,)`
  const input = { id: 'values', pattern_py: HANDLER, graph, ...(shapes && { shapes }) }
  return matchCase(interpreter, input as CaseInput).passes?.[0]?.apply_error ?? null
}

test.each([
  ['call_function[target=torch.functional.split](args = (%x, 4), kwargs = {dim: 1})', '[(4, 4), (4, 4)]'],
  ['call_function[target=torch.functional.split](args = (%x, [3, 5]), kwargs = {dim: -1})', '[(4, 3), (4, 5)]'],
  ['call_function[target=torch.chunk](args = (%x, 3, 1), kwargs = {})', '[(4, 3), (4, 3), (4, 2)]'],
  ['call_function[target=torch.tensor_split](args = (%x, 3), kwargs = {dim: 1})', '[(4, 3), (4, 3), (4, 2)]'],
  ['call_method[target=split](args = (%x, 3), kwargs = {})', '[(3, 8), (1, 8)]'],
  ['call_method[target=unbind](args = (%x,), kwargs = {})', '[(8,), (8,), (8,), (8,)]'],
])('%s', (call, expected) => {
  expect(valuesOf(call, { x: 'f32[4, 8]' })).toBe(`ValueError: ${expected}`)
})

const REAL =
  "AssertionError: Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode with 'allow_non_fake_inputs'. Found in "

// Before AOTAutograd no fake mode is active while replace_by_example traces, so a factory makes a real tensor.
test.each([
  ['x[:, :8].roll(4, -1)', `${REAL}aten.index.Tensor(FakeTensor(..., size=(4, 8)), [None, tensor([...], size=(8,))])`],
  ['x.new_ones(8) * x', `${REAL}aten.mul.Tensor(tensor([...], size=(8,)), FakeTensor(..., size=(4, 8)))`],
  [
    'torch.where(x > 0, x, -1.5)',
    `${REAL}aten.where.self(FakeTensor(..., size=(4, 8), dtype=torch.bool), FakeTensor(..., size=(4, 8)), tensor(-1.5000, size=()))`,
  ],
  ['x + torch.tensor(2)', `${REAL}aten.add.Tensor(FakeTensor(..., size=(4, 8)), tensor(2, size=()))`],
  ['torch.arange(8) * 2 + 1', null],
])('replace_by_example with %s', (body, error) => {
  const pattern_py = `import torch
from torch._inductor.pattern_matcher import CallFunction, KeywordArg, PatternMatcherPass, register_graph_pattern
patterns = PatternMatcherPass()
@register_graph_pattern(CallFunction(torch.sigmoid, KeywordArg("x")), pass_dict=patterns)
def handler(match, x):
    match.replace_by_example(lambda x: ${body}, [x])
`
  const graph = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %sigmoid : [num_users=1] = call_function[target=torch.sigmoid](args = (%x,), kwargs = {})
    return (sigmoid,)`
  const input = { id: 'real', pattern_py, graph, shapes: { x: 'f32[4, 8]' } } as CaseInput
  expect(matchCase(interpreter, input).passes?.[0]?.apply_error ?? null).toBe(error)
})
