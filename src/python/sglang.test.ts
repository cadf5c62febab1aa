import { beforeAll, expect, test } from 'vitest'
import { SM90, start, type Started } from './testing/start'
import type { PythonEnvironment } from './types'

let py: Started
beforeAll(async () => {
  py = await start()
})

const V2: PythonEnvironment = { ...SM90, functionalization: 'v2' }
/** Printed lines, without indentation. */
const printed = (source: string, environment = V2): string[] => {
  const run = py.run(source, environment)
  if (run.failure) throw new Error(run.failure.traceback)
  expect(run.stubs).toEqual([])
  return run.console.flatMap((c) =>
    c.text
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  )
}

test('sglang.srt.utils reflects the environment, and each query is reported', () => {
  const source = `from sglang.srt.utils import get_device_sm, is_cuda, is_hip, is_npu, is_sm100_supported
print(is_cuda(), is_hip(), is_npu(), is_sm100_supported(), get_device_sm())`
  expect(printed(source)).toEqual(['True False False False 90'])
  expect(printed(source, { ...V2, platform: 'cuda-sm100' })).toEqual(['True False False True 100'])
  expect(printed(source, { ...V2, platform: 'rocm' })).toEqual(['False True False False 94'])
  const { asked } = py.run(source, V2)
  expect(asked.map((a) => `${a.question}: ${a.answer}`)).toContain('is_sm100_supported(): False')
})

test('direct_register_custom_op defines an operator with the schema of its annotations, in each run again', () => {
  const source = `import torch
from sglang.srt.utils import direct_register_custom_op
def scaled(x: torch.Tensor, out: torch.Tensor, by: float = 2.0) -> None: ...
direct_register_custom_op("scaled", scaled, mutates_args=["out"], fake_impl=lambda x, out, by=2.0: None)
def twice(x: torch.Tensor) -> torch.Tensor: ...
direct_register_custom_op(op_name="twice", op_func=twice, mutates_args=[], fake_impl=lambda x: x.new_empty(x.shape[0], 2 * x.shape[1]))
print(torch.ops.sglang.scaled.default._schema.is_mutable, torch.ops.sglang.twice.default._schema.is_mutable)
print(tuple(torch.ops.sglang.twice(torch.empty(3, 4)).shape))`
  expect(printed(source)).toEqual(['True False', '(3, 8)'])
  expect(printed(source)).toEqual(['True False', '(3, 8)'])
})

test('the functions of sgl_kernel allocate their buffers and call cataloged operators', () => {
  expect(
    printed(`import torch, sgl_kernel
from torch._inductor.pattern_matcher import fwd_only
print(fwd_only(lambda x: sgl_kernel.silu_and_mul(x), [torch.empty(4, 16, dtype=torch.float16)]).graph)
print([a.name for a in torch.ops.sgl_kernel.fused_add_rmsnorm.default._schema.arguments if a.alias_info])`),
  ).toEqual([
    'graph():',
    '%x_1 : [num_users=1] = placeholder[target=x_1]',
    '%empty : [num_users=2] = call_function[target=torch.ops.aten.empty.memory_format](args = ([4, 8],), kwargs = {dtype: torch.float16, device: cpu, pin_memory: False})',
    '%silu_and_mul : [num_users=0] = call_function[target=torch.ops.sgl_kernel.silu_and_mul.default](args = (%empty, %x_1), kwargs = {})',
    'return empty',
    "['input', 'residual']",
  ])
})

test('SGLang’s pass manager runs its passes for a token count, and its uuid hashes the passes and their sources', () => {
  expect(
    printed(`from sglang.srt.compilation.inductor_pass import InductorPass, SGLangInductorPass, pass_context
from sglang.srt.compilation.pass_manager import PostGradPassManager
class Small(SGLangInductorPass):
    def is_applicable_for_shape(self, shape):
        return shape is not None and shape <= 8
    def __call__(self, graph):
        print("small on", graph)
class Any(SGLangInductorPass):
    def __call__(self, graph):
        print("any on", graph)
manager = PostGradPassManager()
manager.configure()
empty = manager.uuid()
manager.add(Small())
manager.add(Any())
manager.fix_functionalization = lambda graph: print("last on", graph)
for tokens in (4, None):
    with pass_context(tokens):
        manager("g")
manager.configure()
print(manager.uuid() != empty, len(manager.uuid()))`),
  ).toEqual(['small on g', 'any on g', 'last on g', 'any on g', 'last on g', 'True 64'])
})

test('defunctionalization restores the operator call, and users of its copies use the arguments', () => {
  const lines = printed(
    `import torch
from sglang.srt.compilation.fix_functionalization import FixFunctionalizationPass
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.pattern_matcher import fwd_only
def model(x, residual, w):
    at = auto_functionalized(torch.ops.sgl_kernel.fused_add_rmsnorm.default, input=x, residual=residual, weight=w, eps=1e-6, enable_pdl=False)
    return at[1] + 1, at[2]
gm = fwd_only(model, [torch.empty(4, 8), torch.empty(4, 8), torch.empty(8)])
FixFunctionalizationPass()(gm.graph)
print(gm.graph)`,
  )
  expect(lines.slice(4)).toEqual([
    '%fused_add_rmsnorm_default : [num_users=0] = call_function[target=torch.ops.sgl_kernel.fused_add_rmsnorm.default](args = (), kwargs = {input: %x_1, residual: %residual_1, weight: %w_1, eps: 1e-06, enable_pdl: False})',
    '%add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x_1, 1), kwargs = {})',
    'return (add, residual_1)',
  ])
})

test('server arguments and the tensor-parallel group come from the flags', () => {
  const source = `import torch
from sglang.srt.configs.model_config import ModelConfig
from sglang.srt.distributed import get_tp_group, tensor_model_parallel_all_reduce
from sglang.srt.server_args import ServerArgs
from torch._inductor.pattern_matcher import fwd_only
args = ServerArgs(enable_rmsnorm_quant_pass=True)
print(args.enable_rmsnorm_quant_pass, args.enable_fused_activation_pass, args.dtype, args.device, ModelConfig().hf_config.rms_norm_eps)
print(get_tp_group().world_size, len(fwd_only(lambda x: tensor_model_parallel_all_reduce(x) + 1, [torch.empty(4)]).graph.nodes))`
  expect(printed(source)).toEqual(['True False bfloat16 cuda None', '1 3'])
  const { asked } = py.run('from sglang.srt.configs.model_config import ModelConfig\nModelConfig().dtype', V2)
  expect(asked.map((a) => `${a.question}: ${a.answer}`)).toEqual(['model_config.dtype: torch.bfloat16'])
  const flags = { enable_fused_activation_pass: true, rms_norm_eps: 1e-6, tp_size: 2 }
  expect(printed(source, { ...V2, flags })).toEqual(['True True bfloat16 cuda 1e-06', '2 5'])
})

test('the environment decides the functionalization in _inductor.config', () => {
  const source = `import torch._inductor.config as config
print(config.enable_auto_functionalized_v2)
config.enable_auto_functionalized_v2 = False
print(config.enable_auto_functionalized_v2)`
  expect(printed(source)).toEqual(['True', 'False'])
  expect(printed(source, { ...V2, functionalization: 'v1' })).toEqual(['False', 'False'])
})

test('a pass manager that a dropped folder does not instantiate is instantiated with the server arguments', () => {
  const folder = 'sglang/srt/compilation/fusion'
  const files = [
    {
      name: `${folder}/relu_pass.py`,
      text: `import torch
from sglang.srt.compilation.inductor_pass import SGLangInductorPass
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
class ReluPass(SGLangInductorPass):
    def __init__(self, config_dtype):
        super().__init__()
        self.patterns = PatternMatcherPass(self.pass_name)
        examples = [torch.empty(4, dtype=config_dtype).cuda()]
        register_replacement(lambda x: -torch.relu(x), lambda x: torch.sigmoid(x), examples, fwd_only, self.patterns)
    def __call__(self, graph):
        self.patterns.apply(graph)`,
    },
    {
      name: `${folder}/manager.py`,
      text: `from sglang.srt.compilation.fusion.relu_pass import ReluPass
from torch._inductor.custom_graph_pass import CustomGraphPass
class Manager(CustomGraphPass):
    def __init__(self, server_args, model_config):
        self.passes = []
        if server_args.enable_relu_pass:
            self.passes.append(ReluPass(model_config.dtype))
    def __call__(self, graph):
        for each in self.passes:
            each(graph)`,
    },
  ]
  expect(py.run(files, V2).passes).toEqual([])
  const { passes, failure, stubs } = py.run(files, { ...V2, flags: { enable_relu_pass: true } })
  expect({ failure, stubs }).toEqual({ failure: null, stubs: [] })
  expect(passes.map((p) => p.variable)).toEqual(['Manager.ReluPass.patterns'])
  expect(py.registrations).toHaveLength(1)
})

test('an all-reduce is PyTorch’s functional one, or the SGLang operator that a flag names', () => {
  const source = `import torch
from sglang.srt.distributed import tensor_model_parallel_all_reduce
from torch._inductor.pattern_matcher import fwd_only
gm = fwd_only(lambda x: tensor_model_parallel_all_reduce(x) + 1, [torch.empty(4, 8)])
print([str(n.target) for n in gm.graph.nodes if n.op == "call_function"])
print(torch.ops.sglang.inplace_all_reduce.default._schema.is_mutable, torch.ops.sglang.outplace_all_reduce.default._schema.is_mutable)`
  const targets = (flags: PythonEnvironment['flags']): string[] => printed(source, { ...V2, flags })
  const functional =
    "['_c10d_functional.all_reduce.default', '_c10d_functional.wait_tensor.default', 'aten.add.Tensor']"
  expect(targets({ tp_size: 2 })).toEqual([functional, 'True False'])
  const outplace = "['sglang.outplace_all_reduce.default', 'aten.add.Tensor']"
  expect(targets({ tp_size: 2, all_reduce: 'ca' })[0]).toBe(outplace)
  const inplace = "['sglang.inplace_all_reduce.default', 'aten.add.Tensor']"
  expect(targets({ tp_size: 2, all_reduce: 'inplace' })[0]).toBe(inplace)
})
