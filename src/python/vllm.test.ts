/** Tests our stubbed vLLM around a user's files: imports, including old paths, and the registrations per platform. */
import { beforeAll, describe, expect, test } from 'vitest'
import { printGraph } from '../fx'
import { SM90, start, testing, type Started } from './testing/start'
import type { PythonEnvironment, PythonFile, PythonRun } from './types'

let py: Started
beforeAll(async () => {
  py = await start()
})

const ACT_QUANT = testing('act_quant_fusion.py')

function run(files: string | PythonFile[], environment: Partial<PythonEnvironment> = {}): PythonRun {
  const done = py.run(files, { ...SM90, ...environment })
  if (done.failure) throw new Error(done.failure.traceback)
  return done
}
const printed = (source: string, environment?: Partial<PythonEnvironment>): string =>
  run(source, environment)
    .console.map((c) => c.text)
    .join('\n')
const pasted = (name: string): PythonFile[] => [{ name, text: ACT_QUANT }]
const titles = (): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { title } of py.registrations) counts[title] = (counts[title] ?? 0) + 1
  return counts
}

describe('an unchanged file of vLLM’s compilation/passes/fusion', () => {
  // The article's code: the static pattern anywhere, NVFP4 where CUDA has the operator, 16 block variants on CUDA.
  test.each([
    ['cuda-sm80', 1, 0, 16],
    ['cuda-sm89', 1, 0, 16],
    ['cuda-sm90', 1, 0, 16],
    ['cuda-sm100', 1, 1, 16],
    ['rocm', 1, 0, 0],
    ['rocm-aiter', 1, 0, 0],
    ['cpu', 1, 0, 0],
  ])('on %s registers %i static, %i NVFP4 and %i block patterns', (platform, fixed, nvfp4, blocks) => {
    const { passes, stubs, asked } = run(pasted('vllm/compilation/passes/fusion/act_quant_fusion.py'), { platform })
    expect({ StaticPattern: 0, Nvfp4Pattern: 0, BlockPattern: 0, ...titles() }).toEqual({
      StaticPattern: fixed,
      Nvfp4Pattern: nvfp4,
      BlockPattern: blocks,
    })
    expect(passes.map((p) => p.variable)).toEqual(['ActivationQuantFusionPass.patterns'])
    expect(stubs).toEqual([])
    const cuda = asked.find((a) => a.question === 'current_platform.is_cuda()')
    expect(cuda?.answer).toBe(platform.startsWith('cuda') ? 'True' : 'False')
  })

  test.each(['act_quant_fusion.py', 'mine.py'])('gets its package when pasted as %s', (name) => {
    run(pasted(name))
    expect(py.registrations).toHaveLength(17)
    expect(py.registrations[0]?.source).toMatchObject({ file: name, fn: 'register_in' })
  })

  test('is distinguished by vLLM’s names of its settings', () => {
    run(pasted('act_quant_fusion.py'))
    expect(py.registrations[1]?.bindings).toMatchObject({
      quant_key: 'kFp8Dynamic128Sym',
      transposed: 'False',
      tma: 'False',
    })
  })

  test('imports a sibling user file, with or without its folder', () => {
    const beside = `from .matcher_utils import MatcherQuantFP8
from vllm.compilation.passes.fusion import rms_quant_fusion as ours
QUANT_OPS = {}
def __getattr__(name): raise AttributeError(name)
empty_bf16 = empty_fp32 = empty_i32 = None`
    const source = pasted('act_quant_fusion.py')
    for (const name of ['rms_quant_fusion.py', 'vllm/compilation/passes/fusion/rms_quant_fusion.py'])
      expect(py.run([...source, { name, text: beside }], SM90).failure).toMatchObject({
        type: 'AssertionError',
        message: 'unsupported quantization scheme QuantKey(f8e4m3fn,scale(f32,static,per_tensor),symmetric)',
      })
  })

  test('reports that it instantiated the pass; an existing instance is not created again', () => {
    expect(run(pasted('a.py')).console[0]?.text).toContain('created ActivationQuantFusionPass')
    const { passes } = run([
      ...pasted('vllm/compilation/passes/fusion/act_quant_fusion.py'),
      {
        name: 'main.py',
        text: `from vllm.compilation.passes.fusion.act_quant_fusion import ActivationQuantFusionPass
from vllm.config import VllmConfig
fusion = ActivationQuantFusionPass(VllmConfig())`,
      },
    ])
    expect(passes.map((p) => p.variable)).toEqual(['fusion.patterns'])
    expect(py.registrations).toHaveLength(17)
  })

  test('an operator that the user declares exists on every platform', () => {
    const declare = `import torch
lib = torch.library.Library("_C", "FRAGMENT")
lib.define("silu_and_mul_nvfp4_quant(Tensor! result, Tensor! result_block_scale, Tensor input, Tensor input_global_scale) -> ()")
print(hasattr(torch.ops._C, "silu_and_mul_nvfp4_quant"), hasattr(torch.ops._C, "scaled_fp4_quant"))`
    expect(printed(declare)).toContain('True True')
    expect(printed('import torch\nprint(hasattr(torch.ops._C, "silu_and_mul_nvfp4_quant"))')).toContain('False')
  })
})

describe('the helpers, under vLLM’s names', () => {
  test('older paths import the same modules', () => {
    expect(
      printed(`import vllm.compilation.inductor_pass as old, vllm.compilation.passes.inductor_pass as new
from vllm.compilation.fusion import QUANT_OPS, FusedRMSQuantKey, FUSED_OPS
from vllm.compilation.matcher_utils import MatcherRMSNorm, QUANT_OPS as same
from vllm.compilation.vllm_inductor_pass import VllmInductorPass
from vllm.attention import Attention
from vllm.model_executor.layers.attention.attention import Attention as also
from vllm.utils import direct_register_custom_op, round_up
print(old is new, QUANT_OPS is same, len(FUSED_OPS), Attention is also, round_up(5, 4))`),
    ).toContain('True True 8 True 8')
  })

  test('quantization keys print as in vLLM and compare by value', () => {
    const source = `from vllm.model_executor.layers.quantization.utils.quant_utils import *
from vllm.model_executor.layers.quantization.utils.quant_utils import GroupShape, QuantKey, ScaleDesc, FP8_DTYPE
import torch
print(kFp8Dynamic128Sym, "|", kNvfp4Dynamic)
print(QuantKey(FP8_DTYPE, ScaleDesc(torch.float32, False, GroupShape(1, 64))) == kFp8Dynamic64Sym, get_fp8_min_max())`
    expect(printed(source)).toBe(
      'QuantKey(f8e4m3fn,scale(f32,dynamic,GroupShape(row=1, col=128)),symmetric) | ' +
        'QuantKey(u8,scale(f8e4m3fn,dynamic,GroupShape(row=1, col=16)),scale2(f32,static,per_tensor),symmetric)\n' +
        'True (-448.0, 448.0)',
    )
    expect(printed(source, { platform: 'rocm' })).toContain('(-224.0, 224.0)')
  })

  const TRACE = `from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from vllm.compilation.passes.fusion.matcher_utils import *
from vllm.compilation.passes.fusion.matcher_utils import MatcherQuantFP8, MatcherFusedAddRMSNorm
from vllm.model_executor.layers.quantization.utils.quant_utils import kFp8Dynamic128Sym, kFp8DynamicTokenSym
patterns = PatternMatcherPass(pass_name="t")
def traced(matcher, inputs=None):
    register_replacement(lambda *a: matcher(*a), lambda *a: a[0], inputs or matcher.inputs(), fwd_only, patterns)`
  const tracedText = (source: string, environment?: Partial<PythonEnvironment>): string => {
    run(source, environment)
    return printGraph(py.trace(py.registrations[0]!))
  }

  test.each([
    ['MatcherSiluAndMul()', 'silu_and_mul', 'aten.neg'],
    ['MatcherRMSNorm(1e-6)', 'rms_norm', 'aten.rsqrt'],
    ['MatcherFusedAddRMSNorm(1e-6)', 'rms_norm', 'aten.rsqrt'],
    ['MatcherQuantFP8(kFp8DynamicTokenSym)', 'quant_fp8', 'aten.max.dim'],
  ])('%s uses its kernel or plain torch, depending on %s', (matcher, op, plain) => {
    const arity = { MatcherSiluAndMul: 'x', MatcherRMSNorm: 'x, w', MatcherFusedAddRMSNorm: 'x, w, r' }
    const args = arity[matcher.split('(')[0] as keyof typeof arity] ?? 'x'
    const source = TRACE.replace('*a: matcher(*a)', `${args}: matcher(${args})`).replace('*a: a[0]', `${args}: x`)
    const way = (customOps: string[]): string => tracedText(`${source}\ntraced(${matcher})`, { customOps })
    expect(way(['none', `+${op}`])).toContain('auto_functionalized')
    expect(way(['all', `-${op}`])).toContain(plain)
    expect(way(['all', `-${op}`])).not.toContain('auto_functionalized')
  })

  test('a transposed scale is a permuted buffer; a dynamic scale is not an input', () => {
    const source = TRACE.replace('*a: matcher(*a)', 'x: matcher(x)').replace('*a: a[0]', 'x: x')
    const made = (transposed: string): string =>
      tracedText(`import torch
${source}
x = torch.empty(5, 256, dtype=torch.bfloat16)
traced(MatcherQuantFP8(kFp8Dynamic128Sym, has_col_major_scales=${transposed}), [x])`)
    expect(made('True')).toContain('aten.permute.default')
    expect(made('False')).not.toContain('aten.permute.default')
    const given = `${TRACE}\nm = MatcherQuantFP8(kFp8DynamicTokenSym)\nm(*m.inputs(), scale=m.empty_f32(1, 1))`
    expect(py.run(given, SM90).failure?.type).toBe('AssertionError')
  })

  test('get_pass_context has the environment’s range; a pass is identified by its source', () => {
    const source = `from vllm.compilation.passes.inductor_pass import CallableInductorPass, InductorPass, get_pass_context, pass_context
from vllm.config.utils import Range
print(get_pass_context().compile_range)
with pass_context(Range(2, 8)): print(get_pass_context().compile_range, 4 in get_pass_context().compile_range)
class Mine(InductorPass):
    pass
print(Mine().uuid() == InductorPass.hash_source("class Mine(InductorPass):\\n    pass\\n"), len(CallableInductorPass(print, uuid="x").uuid()))`
    expect(printed(source)).toBe('(1, +inf)\n(2, 8) True\nTrue 1')
    expect(printed(source, { tokens: 16 })).toContain('(16, 16)')
  })

  test('dump_patterns prints PatternMatcherPass.patterns if a setting enables it', () => {
    const quiet = run(pasted('a.py')).console
    const text = run(pasted('a.py'), { flags: { debug_dump_path: 'dump' } })
      .console.map((c) => c.text)
      .join('\n')
    expect(quiet.map((c) => c.text).join()).not.toContain('CallFunction')
    expect(text).toContain("# Patterns for op: ('call_function', operator.getitem)")
    expect(text.match(/^def pattern_/gm)).toHaveLength(17)
    expect(text).toContain('torch.ops._C.per_token_group_fp8_quant.default, ')
  })

  test('copies of vLLM’s own base classes find the torch APIs they use', () => {
    expect(
      printed(`import regex as re, torch
from torch._inductor.pattern_matcher import PatternMatcherPass, PatternPrettyPrinter, fwd_only, register_replacement
from torch._subclasses.fake_tensor import FakeTensorMode, unset_fake_temporarily
patterns = PatternMatcherPass(pass_name="p")
with torch._guards.tracing(None), unset_fake_temporarily(), FakeTensorMode():
    register_replacement(lambda x: x.exp().neg(), lambda x: x, [torch.empty(2)], fwd_only, patterns)
for (op, target), entries in patterns.patterns.items():
    pp = PatternPrettyPrinter()
    pp.namespace.create_name("auto_functionalized", None)
    last = pp.pretty_print(entries[0].pattern)
    print(op, target, list(pp.memoized_objs_names.values()), last, re.sub("a", "b", "a"))`),
    ).toBe("call_function aten.neg.default ['exp_default'] CallFunction(aten.neg.default, exp_default, _users=0) b")
  })

  test('keys from before ScaleDesc equal the current keys', () => {
    expect(
      printed(`from vllm.compilation.fusion import QUANT_OPS, GroupShape, QuantKey
import torch
key = QuantKey(dtype=torch.float8_e4m3fn, static=True, group_shape=GroupShape.PER_TENSOR, symmetric=True)
print(QUANT_OPS[key], key.static, key.group_shape.is_per_tensor())`),
    ).toBe('_C.static_scaled_fp8_quant.default True True')
  })

  test('attention layers, collectives and vllm.ir’s operators trace', () => {
    expect(
      printed(
        `import torch, vllm.ir.ops
from vllm.config import VllmConfig, get_layers_from_vllm_config
from vllm.model_executor.layers.attention import Attention
from vllm.distributed import tensor_model_parallel_all_reduce, get_tp_group
x = torch.empty(8, 16, dtype=torch.bfloat16, device="cuda")
print([(n, a.num_heads) for n, a in get_layers_from_vllm_config(VllmConfig(), Attention).items()])
print(tensor_model_parallel_all_reduce(x).shape, get_tp_group().reduce_scatter(x, 0).shape)
print(torch.ops.symm_mem.fused_all_gather_matmul(x, [x.t()], 0, "tp:0")[1][0].shape)
print(vllm.ir.ops.fused_add_rms_norm(x, x, None, 1e-6)[1].shape, torch.ops.vllm_ir.rms_norm.default._schema)`,
        { flags: { num_hidden_layers: 2, num_attention_heads: 4 } },
      ),
    ).toBe(
      "[('model.layers.0.self_attn.attn', 4), ('model.layers.1.self_attn.attn', 4)]\n" +
        'torch.Size([8, 16]) torch.Size([4, 16])\n' +
        'torch.Size([16, 8])\n' +
        'torch.Size([8, 16]) vllm_ir::rms_norm(Tensor x, Tensor? weight, float epsilon, SymInt? variance_size=None) -> Tensor',
    )
  })

  test('an operator of vllm.ir is lowered to its kernel, or to plain torch if the kernel is off', () => {
    const source = `import torch
from torch._inductor.pattern_matcher import fwd_only
from vllm.ir.op import IrOp
op = IrOp.registry["rms_norm"]
x, w = torch.empty(4, 8), torch.empty(8)
args, kwargs = op.apply_arg_defaults(x, w, 1e-6)
chosen = op.dispatch(*args)
print(op.torch_op, len(args), kwargs, chosen.provider)
print([str(n.target) for n in fwd_only(lambda x, w: chosen.impl_fn(x, w, 1e-6), [x, w]).graph.nodes if n.op == "call_function"][-1])`
    expect(printed(source)).toBe('vllm_ir.rms_norm.default 4 {} vllm_c\n_C.rms_norm.default')
    expect(printed(source, { customOps: ['none'] })).toBe('vllm_ir.rms_norm.default 4 {} native\naten.mul.Tensor')
  })

  test('DeepSeek’s attention has layers and an operator, and FP4 buffers have the right shapes', () => {
    expect(
      printed(`import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from vllm._custom_ops import create_fp4_output_tensors
from vllm.config import VllmConfig, get_layers_from_vllm_config
from vllm.model_executor.layers.attention.mla_attention import MLAAttention
(name, layer), = get_layers_from_vllm_config(VllmConfig(), MLAAttention).items()
x = torch.empty(5, layer.num_heads * layer.v_head_dim)
made = auto_functionalized(torch.ops.vllm.unified_mla_attention_with_output.default, q=x, kv_c_normed=x, k_pe=x,
    output=x, layer_name=name, output_scale=None, output_block_scale=None, kv_cache_dummy_dep=None)
print(name, layer.kv_lora_rank, tuple(made[1].shape), [tuple(t.shape) for t in create_fp4_output_tensors(5, 64, "cuda", True)])`),
    ).toBe('model.layers.0.self_attn.mla_attn 512 (5, 4096) [(5, 32), (128, 1)]')
  })

  test('a call that leaves a written argument out takes the version of attention without it', () => {
    expect(
      printed(`import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
x = torch.empty(5, 8)
op = torch.ops.vllm.unified_attention_with_output.default
print(len(auto_functionalized(op, query=x, key=x, value=x, output=x, layer_name="a", output_scale=None)))`),
    ).toBe('2')
  })

  test('declaring one overload of a vLLM operator keeps the others', () => {
    expect(
      printed(`import torch
lib = torch.library.Library("_C", "FRAGMENT")
lib.define("scaled_fp4_quant(Tensor! output, Tensor input, Tensor! output_scale, Tensor input_scale, bool swizzled) -> ()")
print([a.name for a in torch.ops._C.scaled_fp4_quant.default._schema.arguments][-1], torch.ops._C.scaled_fp4_quant.out._schema.is_mutable)`),
    ).toBe('swizzled True')
  })
})
