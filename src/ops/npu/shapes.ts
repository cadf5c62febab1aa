/** What torch_npu's and vLLM-Ascend's operators make of shapes and dtypes, where nobody says it in Python. */
import type { Dim } from '../../fx'
import type { DispatchArg, FakeTensor } from '../fake'
import type { OpCall } from '../op_call'
import { register } from '../registry'
import { addDims, floorDiv } from '../sym'

/** A new contiguous tensor on the device of another. */
const made = (c: OpCall, like: FakeTensor, shape: readonly Dim[], dtype: string = like.meta.dtype): FakeTensor =>
  c.fresh(dtype, shape, like.meta.device)

const several = (...items: DispatchArg[]): DispatchArg => ({ kind: 'tuple', items })
const rows = (x: FakeTensor): Dim[] => x.meta.shape.slice(0, -1)
const last = (x: FakeTensor): Dim => x.meta.shape.at(-1) ?? 1
const halved = (x: FakeTensor): Dim[] => [...rows(x), floorDiv(last(x), 2)]
const blocks = (size: Dim, block: Dim): Dim =>
  floorDiv(addDims(size, typeof block === 'number' ? block - 1 : 31), block)
const same = (c: OpCall, x: FakeTensor, dtype?: string): FakeTensor => made(c, x, x.meta.shape, dtype)
/** One float32 a row. */
const perRow = (c: OpCall, x: FakeTensor, keepdim: boolean): FakeTensor =>
  made(c, x, keepdim ? [...rows(x), 1] : rows(x), 'float32')
const codesOf = (c: OpCall, fallback: string): string => c.dtype('dst_type') ?? fallback

const norm = (c: OpCall): DispatchArg => {
  const x = c.tensor('x1')
  return several(same(c, x), perRow(c, x, true), same(c, x))
}
register('npu.npu_add_rms_norm _C_ascend.npu_add_rms_norm_bias', { meta: norm })
register('npu.npu_rms_norm', {
  meta: (c) => several(same(c, c.tensor('self')), perRow(c, c.tensor('self'), true)),
})
register('npu.npu_add_rms_norm_quant', {
  meta: (c) => several(same(c, c.tensor('x1'), 'int8'), same(c, c.tensor('x1'), 'int8'), same(c, c.tensor('x1'))),
})
register('npu.npu_add_rms_norm_dynamic_quant', {
  meta: (c) => {
    const x = c.tensor('x1')
    const codes = (): FakeTensor => same(c, x, 'int8')
    return several(codes(), codes(), same(c, x), perRow(c, x, false), perRow(c, x, false))
  },
})
register('npu.npu_dynamic_quant', {
  meta: (c) => several(same(c, c.tensor('input'), codesOf(c, 'int8')), perRow(c, c.tensor('input'), false)),
})

/** Codes, and a shared exponent a block of the last dimension. */
const mx = (c: OpCall, x: FakeTensor, shape: readonly Dim[], block: Dim): [FakeTensor, FakeTensor] => [
  made(c, x, shape, codesOf(c, 'float8_e4m3fn')),
  made(c, x, [...shape.slice(0, -1), blocks(shape.at(-1) ?? 1, block)], 'uint8'),
]
register('npu.npu_dynamic_mx_quant', {
  meta: (c) => several(...mx(c, c.tensor('input'), c.tensor('input').meta.shape, c.dim('block_size'))),
})
register('npu.npu_swiglu_mx_quant', {
  meta: (c) => several(...mx(c, c.tensor('x'), halved(c.tensor('x')), c.dim('block_size'))),
})
register('npu.npu_add_rms_norm_dynamic_mx_quant', {
  meta: (c) => {
    const x = c.tensor('x1')
    const [codes, scales] = mx(c, x, x.meta.shape, 32)
    return several(codes, same(c, x), scales, perRow(c, x, true))
  },
})

register('npu.npu_swiglu', { meta: (c) => made(c, c.tensor('self'), halved(c.tensor('self'))) })
register('npu.npu_swiglu_quant', {
  meta: (c) => {
    const x = c.tensor('x')
    return several(made(c, x, halved(x), codesOf(c, 'int8')), perRow(c, x, false))
  },
})
register('npu.npu_gelu npu.npu_rotary_mul', { meta: (c) => same(c, c.tensor('self')) })
register('npu.npu_quantize', { meta: (c) => same(c, c.tensor('self'), c.dtype('dtype') ?? 'int8') })
register('npu.npu_apply_rotary_pos_emb', {
  meta: (c) => several(same(c, c.tensor('query')), same(c, c.tensor('key'))),
})
register('vllm.rope_forward_triton', { meta: (c) => several(same(c, c.tensor('q')), same(c, c.tensor('k'))) })

register('vllm.quantize', { meta: (c) => same(c, c.tensor('in_tensor'), 'int8') })
register('vllm.unquantized_gemm', {
  meta: (c) => made(c, c.tensor('x'), [...rows(c.tensor('x')), c.tensor('weight').meta.shape[0]!]),
})
register('_C_ascend.matmul_allreduce_add_rmsnorm', {
  meta: (c) => several(same(c, c.tensor('residual')), same(c, c.tensor('residual'))),
})
register('vllm.maybe_all_gather_and_maybe_unpad vllm.maybe_pad_and_reduce vllm.sequence_parallel_chunk_impl', {
  meta: (c) => same(c, c.tensor('x')),
})
// Its part of the residual has as many rows as what it is added to.
register('vllm.maybe_chunk_residual', { meta: (c) => same(c, c.tensor('x')) })
register('vllm.qkv_rmsnorm_rope', {
  meta: (c) => {
    const x = c.tensor('input')
    const [q, kv] = [c.dim('q_hidden_size'), c.dim('kv_hidden_size')]
    return several(made(c, x, [...rows(x), q]), made(c, x, [...rows(x), kv]), made(c, x, [...rows(x), kv]))
  },
})
