/** Names that fusion code imports from torch: real values, named stubs, and errors for misspelled names. */
import { beforeAll, describe, expect, test } from 'vitest'
import { MATCHER_IMPORTS, printedBy, start, type Started } from './testing/start'

let py: Started
beforeAll(async () => {
  py = await start()
}, 120_000)

describe('names of torch', () => {
  test('the version compares by its numbers, and backends have a base class', () => {
    const text = `import torch
from torch.torch_version import TorchVersion, __version__
from torch._dynamo.aot_compile import SerializableCallable
print(torch.__version__ >= (2, 10), torch.__version__ >= '2.6', torch.__version__ < '2.9', TorchVersion('2.10') == '2.10.0', __version__.split('.')[0])
print(isinstance(SerializableCallable, type), issubclass(type('Own', (SerializableCallable,), {}), SerializableCallable))
`
    expect(printedBy(py, text).trim().split(/\n+/)).toEqual(['True True False True 2', 'True True'])
  })

  test('placements, policies, unique names and fused weights are as recorded on 2.14.1', () => {
    const text = `import torch
from torch.distributed.tensor.placement_types import Partial, Replicate, Shard
from torch.fx.graph import _format_target, _Namespace
from torch.nn.attention import SDPBackend
from torch.nn.utils.fusion import fuse_conv_bn_weights
placements = [Shard(0), Shard(dim=1), Replicate(), Partial(), Partial('avg')]
print(placements, *placements, [x.is_shard(1) for x in placements], [x.is_partial('avg') for x in placements])
names = _Namespace()
print(*[names.create_name(x) for x in 'a a a_1 a_5 a_5 torch 1x if x.y inf_3'.split()], _format_target('self', 'a.b.0.c'), repr(SDPBackend.MATH))
weight, bias = fuse_conv_bn_weights(torch.ones(3, 2, 1, 1), None, torch.zeros(3), torch.ones(3), 1e-5, None, None)
print(isinstance(weight, torch.nn.Parameter), tuple(weight.shape), tuple(bias.shape))
`
    expect(printedBy(py, text).trim().split(/\n+/)).toEqual([
      '[Shard(dim=0), Shard(dim=1), Replicate(), Partial(sum), Partial(avg)] S(0) S(1) R P(sum) P(avg) [False, True, False, False, False] [False, False, False, False, True]',
      'a a_1 a_2 a_5 a_6 torch_1 _1x if_1 x_y inf_3 getattr(self.a.b, "0").c <SDPBackend.MATH: 0>',
      'True (3, 2, 1, 1) (3,)',
    ])
  })

  test('a subgraph by inputs and outputs, and equal calls merged', () => {
    const text = `import torch
from torch._functorch.partitioners import _extract_graph_with_inputs_outputs, has_recomputable_ops
from torch.fx.passes.dialect.common.cse_pass import CSEPass, get_CSE_banned_ops
from torch.utils.checkpoint import CheckpointPolicy
gm = torch.fx.symbolic_trace(lambda x, y: torch.add(torch.relu(x) * torch.relu(x), y))
result = CSEPass(get_CSE_banned_ops())(gm)
print(result.modified, [n.name for n in result.graph_module.graph.nodes])
x, y, relu, relu_1, mul, add, out = gm.graph.nodes
print([n.op for n in _extract_graph_with_inputs_outputs(gm.graph, [mul, y], [add], [None]).nodes])
mul.meta['recompute'] = CheckpointPolicy.PREFER_RECOMPUTE
print(has_recomputable_ops(gm))
try:
    _extract_graph_with_inputs_outputs(gm.graph, [x], [add], [None])
except AssertionError as e:
    print(e)
`
    expect(printedBy(py, text).trim().split(/\n+/)).toEqual([
      "True ['x', 'y', 'relu', 'mul', 'add', 'output']",
      "['placeholder', 'placeholder', 'call_function', 'output']",
      'True',
      'Node add was invalid, but is output',
    ])
  })

  test('values and pure functions are real', () => {
    const text = `import torch, sys
from torch.fx.experimental.symbolic_shapes import guard_int, has_free_symbols, optimization_hint, statically_known_false, sym_eq
from torch._inductor.custom_graph_pass import CustomPartitionerFn, get_custom_graph_passes
from torch._inductor.pattern_matcher import MatchResult, ReplaceFn, _return_true, _seen_patterns
from torch._subclasses.fake_tensor import is_fake
from torch._dispatch.python import enable_python_dispatcher
from torch._logging import getArtifactLogger
print(guard_int(3), has_free_symbols([2, 3]), optimization_hint(4), statically_known_false(1 == 2), sym_eq([1, 2], [1, 2]))
print(get_custom_graph_passes(None), len(get_custom_graph_passes([min, max])), is_fake(torch.empty(2)), torch._C._has_mkldnn)
conv = torch.nn.Conv2d(3, 8, 3, padding=1)
print(type(conv).__name__, tuple(conv(torch.empty(2, 3, 5, 5)).shape), isinstance(conv, torch.nn.Module))
with enable_python_dispatcher():
    pass
class Runs(torch.fx.Interpreter):
    pass
print(tuple(Runs(torch.fx.symbolic_trace(lambda x: torch.cat([x, x]))).run(torch.empty(2)).shape))
try:
    from torch._inductor.pattern_matcher import register_replacment
except ImportError as e:
    print('ImportError')
print('torch_npu' in sys.modules)
`
    expect(printedBy(py, text).trim().split(/\n+/)).toEqual([
      '3 False 4 True True',
      '() 2 True True',
      'Conv2d (2, 8, 5, 5) True',
      '(4,)',
      'ImportError',
      'False',
    ])
  })

  test('versions compare by number, and functions on nodes, devices and signatures are real', () => {
    const text = `import torch
from packaging import version
from torch.torch_version import TorchVersion
from torch._dynamo.utils import is_node_meta_valid
from torch._higher_order_ops.auto_functionalize import get_mutable_args
from torch._inductor.fx_passes.bucketing import is_all_reduce_tensor, is_wait_tensor
from torch._inductor.fx_passes.post_grad import same_meta
from torch._inductor.utils import ceildiv, get_all_devices, is_gpu, is_pointwise_use, is_view, pad_listlike
from torch.fx.operator_schemas import normalize_function
aten = torch.ops.aten
print(torch.__version__ >= "2.9", torch.__version__ >= (2, 9), TorchVersion("2.10") > "2.9.1", torch.__version__ == "parrot")
print(version.parse(torch.__version__) >= version.parse("2.14"), version.Version("1.0rc1") < version.Version("1.0"), version.parse("2.1.dev3").release, sorted(map(version.parse, ["1.0.post1", "1.0", "1.0a2", "1.0.dev1", "1.0+cu12"])))
print(ceildiv(7, 2), is_gpu("cuda"), is_gpu("cpu"), is_view(aten.view.default), is_view(aten.add.Tensor), pad_listlike([1], 3))
print(get_mutable_args(aten.add_.Tensor), normalize_function(aten.add.Tensor, (1, 2)), normalize_function(aten.add.Tensor, (1,), {"other": 2}, normalize_to_only_use_kwargs=True))
def check(graph):
    for n in graph.nodes:
        print(n.name, is_node_meta_valid(n), n.op == "call_function" and is_pointwise_use(n), is_wait_tensor(n), is_all_reduce_tensor(n), same_meta(n, n))
check(fwd_only(lambda x: torch.relu(x).sum(0), [torch.empty(2, 4)]).graph)
`
    expect(printedBy(py, `${MATCHER_IMPORTS}\n${text}`).trim().split(/\n+/)).toEqual([
      'True True True False',
      "True True (2, 1) [<Version('1.0.dev1')>, <Version('1.0a2')>, <Version('1.0')>, <Version('1.0+cu12')>, <Version('1.0.post1')>]",
      '4 True False True False [1, 1, 1]',
      "(['self'], ['Tensor']) ArgsKwargsPair(args=(1, 2), kwargs={'alpha': 1}) ArgsKwargsPair(args=(), kwargs={'input': 1, 'other': 2, 'alpha': 1})",
      'x_1 True False False False True',
      'relu True True False False True',
      'sum_1 True False False False True',
      'output False False False False False',
    ])
  })

  test('a pass of a missing module is a stage of its own', () => {
    const text = `${MATCHER_IMPORTS}
from .pre_grad import efficient_pass
from .post_grad import register_lowering_pattern

@register_graph_pattern(CallFunction(torch.ops.aten.relu.default, KeywordArg('x')), pass_dict=efficient_pass)
def handler(match, x):
    pass

@register_lowering_pattern(CallFunction(torch.ops.aten.relu.default, KeywordArg('x')), pass_number=2)
def lowered(match, x):
    pass
`
    const run = py.run(text)
    expect(run.failure).toBe(null)
    expect(run.passes.map((p) => p.variable).sort()).toEqual([
      'post_grad.pass_patterns[2]',
      'torch._inductor.fx_passes.pre_grad.efficient_pass',
    ])
  })

  test('torch_npu is loaded on Ascend, and the own npugraph_ex of the user replaces the stub', () => {
    const files = [
      { name: 'npugraph_ex/__init__.py', text: 'OWN = True\n' },
      { name: 'a.py', text: "import sys, npugraph_ex\nprint('torch_npu' in sys.modules, npugraph_ex.OWN)\n" },
    ]
    const run = py.run(files, {
      platform: 'ascend-a2',
      dtype: 'bfloat16',
      tokens: null,
      customOps: ['all'],
      functionalization: 'v1',
      flags: {},
    })
    expect(run.failure).toBe(null)
    expect(run.console.map((c) => c.text.trim())).toEqual(['True True'])
  })

  test('a qualified name is the one that FX code calls a function by', () => {
    const text = `import math, operator, torch
from torch.fx.node import _get_qualified_name as name
print(*[name(f) for f in (operator.getitem, torch.ops.aten.add.Tensor, torch.ops.aten.add, torch.relu, getattr, math.sqrt)])
`
    // Recorded on PyTorch 2.14.1.
    expect(printedBy(py, text).trim()).toBe(
      '_operator.getitem torch.ops.aten.add.Tensor torch.ops.aten.add torch.relu getattr math.sqrt',
    )
  })

  test('vLLM’s rotary embeddings are a package, and IR operators have a priority', () => {
    const text = `from vllm.model_executor.layers.rotary_embedding import RotaryEmbedding
from vllm.model_executor.layers.rotary_embedding.deepseek_scaling_rope import DeepseekScalingRotaryEmbedding
from vllm.ir.op import IrOp
import vllm.ir.ops
from vllm.utils.torch_utils import LayerNameType, _USE_LAYERNAME, _encode_layer_name, _resolve_layer_name
print(LayerNameType, _USE_LAYERNAME, _resolve_layer_name(_encode_layer_name("l.0")))
print({tuple(op.get_priority()) for op in IrOp.registry.values()} <= {("vllm_c", "native"), ("native",)})
import torch
q, k, positions = torch.empty(5, 4, 96), torch.empty(5, 1, 96), torch.zeros(5, dtype=torch.int64)
for columns, neox in ((64, True), (96, False)):
    turned = DeepseekScalingRotaryEmbedding.forward_static(positions, q, k, 96, columns, torch.empty(100, columns), neox)
    print([tuple(t.shape) for t in turned])
`
    expect(printedBy(py, text).trim().split(/\n+/)).toEqual([
      "<class 'str'> False l.0",
      'True',
      '[(5, 4, 96), (5, 1, 96)]',
      '[(5, 4, 96), (5, 1, 96)]',
    ])
  })
})
