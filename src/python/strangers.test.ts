/** What passes of other projects take from PyTorch beside the graph: recorded on 2.14.1 where a line does not say otherwise. */
import { beforeAll, expect, test } from 'vitest'
import { printedBy, start, type Started } from './testing/start'

let py: Started
beforeAll(async () => {
  py = await start()
}, 120_000)

const lines = (text: string): string[] => printedBy(py, text).trim().split(/\n+/)

test('a boxed forward takes a list and clears it, and its code says so', () => {
  const text = `import torch
from torch.fx.graph import _BoxedCodeGen
def f(x, y: torch.Tensor, z=2):
    return torch.relu(x) + y * z
gm = torch.fx.symbolic_trace(f)
gm.graph.set_codegen(_BoxedCodeGen())
given = [torch.empty(2, 3), torch.empty(2, 3), 3]
print(tuple(gm(given).shape), given)
print(gm.code.strip())
`
  expect(lines(text)).toEqual([
    '(2, 3) []',
    'def forward(self, args_list):',
    '    args_iter = iter(args_list)',
    '    x = next(args_iter)',
    '    y = next(args_iter)',
    '    z = next(args_iter)',
    '    args_list.clear()',
    '    relu = torch.relu(x);  x = None',
    '    mul = y * z;  y = z = None',
    '    add = relu + mul;  relu = mul = None',
    '    return add',
  ])
})

test('a mode receives functions, methods and operators, and is left while it handles one', () => {
  const text = `import torch
from torch.overrides import TorchFunctionMode
class Heard(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        print(func.__name__, len(types))
        return func(*args, **(kwargs or {}))
with Heard():
    x = torch.ones(2)
    z = torch.relu(x).add(x)
    torch.nn.functional.gelu(torch.ops.aten.mul.Tensor(z, 2)) + 1
print(tuple(torch.relu(x).shape))
`
  expect(lines(text)).toEqual(['ones 0', 'relu 0', 'add 0', 'mul.Tensor 0', 'gelu 0', 'add 0', '(2,)'])
})

test('mutations number the nodes', () => {
  const text = `import torch
from torch._inductor.pattern_matcher import compute_mutation_region_ids, get_mutation_region_id, is_mutation_op, should_compute_mutation_region_ids
graph = torch.fx.Graph()
x = graph.placeholder('x')
a = graph.call_function(torch.ops.aten.relu.default, (x,))
b = graph.call_function(torch.ops.aten.add_.Tensor, (a, 1))
c = graph.call_method('relu_', (b,))
d = graph.call_function(torch.add, (c, c), {'out': a})
graph.output(d)
print(should_compute_mutation_region_ids(graph), [is_mutation_op(n) for n in graph.nodes])
compute_mutation_region_ids(graph)
with graph.inserting_after(c):
    e = graph.call_function(torch.ops.aten.relu.default, (c,))
print([n.meta.get('mutation_region_id') for n in graph.nodes], get_mutation_region_id(graph, e), should_compute_mutation_region_ids(graph))
`
  expect(lines(text)).toEqual(['True [False, False, True, True, True, False]', '[0, 0, 1, 2, None, 3, 3] 2 False'])
})

test('joint graphs by their descriptions; without them one sentence says what a dump lacks', () => {
  const text = `import torch
from torch._functorch._aot_autograd.descriptors import GradAOTOutput, ParamAOTInput, PlainAOTInput, PlainAOTOutput, TangentAOTInput
from torch._functorch._aot_autograd.fx_utils import get_all_output_and_tangent_nodes, get_param_and_grad_nodes, get_param_nodes, get_plain_input_and_grad_nodes
print(GradAOTOutput(ParamAOTInput('a.w')).expr(), TangentAOTInput(PlainAOTOutput(0)).expr(), ParamAOTInput('w') == ParamAOTInput('w'), ParamAOTInput('w'))
graph = torch.fx.Graph()
w, x, t = map(graph.placeholder, 'wxt')
y = graph.call_function(torch.ops.aten.mul.Tensor, (w, x))
g = graph.call_function(torch.ops.aten.mul.Tensor, (t, x))
out = graph.output((y, g))
try:
    get_param_nodes(graph)
except KeyError as e:
    print(e)
w.meta['desc'], x.meta['desc'], t.meta['desc'] = ParamAOTInput('w'), PlainAOTInput(0), TangentAOTInput(PlainAOTOutput(0))
out.meta['desc'] = [PlainAOTOutput(0), GradAOTOutput(ParamAOTInput('w'))]
print(get_param_and_grad_nodes(graph), get_plain_input_and_grad_nodes(graph), len(get_all_output_and_tangent_nodes(graph)))
`
  expect(lines(text)).toEqual([
    "__grad(self.get_parameter('a.w')) __output_tangent(output[0]) True ParamAOTInput(target='w')",
    // Ours alone: PyTorch's message is 'desc'.
    "'desc: w has no description; no dump prints it, so this graph is not a joint graph with descriptors'",
    "{ParamAOTInput(target='w'): (w, mul_tensor_1)} {PlainAOTInput(idx=0): (x, None)} 2",
  ])
})

test('functions of autograd run forward, registered classes are trees, and buffers of code indent', () => {
  const text = `import torch
from torch.utils import _pytree as pytree
from torch._inductor.utils import IndentedBuffer
from torch._inductor.virtualized import ops
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2
class Split(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x + 1
    @staticmethod
    def setup_context(ctx, inputs, output):
        print(len(inputs))
print(tuple(Twice.apply(torch.empty(3)).shape), tuple(Split.apply(torch.empty(4)).shape))
class Box:
    def __init__(self, items): self.items = items
pytree.register_pytree_node(Box, lambda b: (b.items, None), lambda items, _: Box(list(items)))
leaves, spec = pytree.tree_flatten([Box([1, 2]), {'a': 3}])
seen = []
print(pytree.tree_map_only_(int, seen.append, (1, ['a', 2])), seen, pytree.arg_tree_leaves(1, b=[2]), pytree.tree_any_only(int, bool, ['a', 0]))
print(leaves, pytree.tree_unflatten([4, 5, 6], spec)[0].items, pytree.tree_map(lambda v: v + 1, Box([1])).items)
inner, outer = IndentedBuffer(), IndentedBuffer()
inner.writeline('a')
with inner.indent():
    inner.splice('\\n  x\\n    y\\n')
outer.splice(inner)
outer.splice('  \\n q\\n', strip=True)
print(repr(outer.getvalue()))
x = ops.load('b', 0)
print(ops.add(x, 1) * 2, x & 1, ops.and_(x, 1), -x, ~x, ops.maximum(x, 2), sep=', ')
`
  expect(lines(text)).toEqual([
    '1',
    '(3,) (4,)',
    "(1, ['a', 2]) [1, 2] [1, 2] False",
    '[1, 2, 3] [4, 5] [2]',
    "'a\\n\\n    x\\n      y\\nq\\n'",
    'ops.load(b, 0) + 1 * 2, ops.bitwise_and(ops.load(b, 0), 1), ops.load(b, 0) & 1, -ops.load(b, 0), ops.bitwise_not(ops.load(b, 0)), ops.maximum(ops.load(b, 0), 2)',
  ])
})

test('meshes, layouts on them, ranges and schemas are data; what only a run has is refused by name', () => {
  const text = `import torch
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor._dtensor_spec import DTensorSpec, TensorMeta
from torch.utils._sympy.numbers import int_oo
from torch.utils._sympy.value_ranges import ValueRanges
from torch.fx.experimental.symbolic_shapes import DimDynamic, StatelessSymbolicContext
from torchgen.model import FunctionSchema
from torch._inductor.ir import TensorBox
from torch.nn.utils.rnn import PackedSequence
mesh = init_device_mesh('cuda', (2, 4), mesh_dim_names=('dp', 'tp'))
print(mesh.shape, mesh.size(), mesh['tp'].shape, mesh.get_local_rank('tp'), mesh == init_device_mesh('cuda', (2, 4), mesh_dim_names=('dp', 'tp')))
spec = DTensorSpec(mesh, (Shard(1), Replicate()), TensorMeta(torch.Size([8, 4]), (4, 1), torch.float32))
print(spec.dim_map, spec.num_shards, spec.is_replicated(), tuple(spec.shape))
print(int_oo > 10**30, -int_oo < 0, int_oo == int_oo, ValueRanges(2, int_oo) & ValueRanges(0, 7), 3 in ValueRanges(2, int_oo))
print(StatelessSymbolicContext([DimDynamic.STATIC]).dynamic_strides)
schema = FunctionSchema.parse('add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor')
print(schema.name.name.base, schema.name.overload_name, [a.name for a in schema.arguments.flat_all], schema)
print(PackedSequence(torch.empty(2), torch.empty(1)).sorted_indices, isinstance(torch.empty(1), TensorBox))
for refused in (lambda: TensorBox(None), lambda: mesh.get_group()):
    try:
        refused()
    except NotImplementedError as e:
        print(e)
`
  expect(lines(text)).toEqual([
    '(2, 4) 8 (4,) 0 True',
    '[-1, 0] 2 False (8, 4)',
    'True True True VR[2, 7] True',
    '[<DimDynamic.INFER_STRIDE: 4>]',
    "add Tensor ['self', 'other', 'alpha'] add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    'None False',
    "Fusescope has no torch._inductor.ir.TensorBox: a dump has the graph before Inductor's lowering",
    'Fusescope has no process group of a DeviceMesh: a dump has the graph of one rank and no processes',
  ])
})

test('remove_noop_ops of a pass removes what Inductor’s own pass removes', () => {
  const text = `import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch._inductor.fx_passes.post_grad import remove_assert_ops, remove_noop_ops
def f(x):
    y = torch.ops.aten.clone.default(torch.relu(x) + 0)
    return torch.ops.aten.slice.Tensor(y, 0, 0, 9).neg(), torch.ops.aten.clone.default(x)
gm = make_fx(f, tracing_mode='fake')(torch.empty(4, 3))
remove_noop_ops(gm.graph)
print([n.name for n in gm.graph.nodes], gm.graph.output_node().args)
`
  expect(lines(text)).toEqual(["['x_1', 'relu', 'add', 'neg', 'clone_1', 'output'] ((neg, clone_1),)"])
})
