/** scaled_dot_product_attention: the flash kernel's operator on the CPU where it takes the call, else its math form. */
import { dtype as dtypeArg, type Dim, type TensorMeta } from '../../fx'
import { dimArg, dimArgs, isFake, itemsOf, type DispatchArg, type FakeTensor } from '../fake'
import { wrapDim, type OpCall } from '../op_call'
import { computationDtype, isFloatDtype } from '../promote'
import { register } from '../registry'
import { contiguousStrides, physicalOrder } from '../strides'
import { floorDiv, mulDims, sameDim } from '../sym'
import { runtimeError } from '../torch_error'
import { scalarTensor } from './binary'
import { cast } from './elementwise'
import { fullLike } from './factory'
import { matmul } from './matmul'
import { transpose } from './view'

const shapeOf = (t: FakeTensor): readonly Dim[] => t.meta.shape

/** convert_boolean_attn_mask: true becomes 0, false minus infinity. */
function floatMask(c: OpCall, mask: FakeTensor | null, dtype: string): FakeTensor | null {
  if (mask?.meta.dtype !== 'bool') return mask
  const options = { dtype: dtypeArg(dtype), device: mask.meta.device! }
  const infinite = c.call('aten.scalar_tensor.default', [-Infinity], options)
  return c.op('aten.where.self', mask, scalarTensor(c, 0, dtype, mask), infinite)
}

/** The keys and values of grouped queries, repeated for each query head. */
function repeated(c: OpCall, x: FakeTensor, heads: Dim): FakeTensor {
  const own = shapeOf(x).at(-3)!
  if (sameDim(own, heads)) return x
  return c.op('aten.repeat_interleave.self_int', x, dimArg(floorDiv(heads, own)), -3n)
}

function math(c: OpCall, x: [FakeTensor, FakeTensor, FakeTensor], given: FakeTensor | null): DispatchArg {
  const dtype = x[0].meta.dtype
  // Half precision is computed in float32; nothing else is cast.
  const own = (t: string): string => (isFloatDtype(t) ? computationDtype(t) : t)
  const wide = own(dtype)
  const [q0, k0, v0] = x.map((t) => cast(c, t, own(t.meta.dtype))) as [FakeTensor, FakeTensor, FakeTensor]
  const scale = Math.sqrt(c.number('scale') ?? 1 / Math.sqrt(Number(shapeOf(q0).at(-1))))
  const q = c.op('aten.mul.Scalar', q0, scale)
  let mask = given
  if (c.bool('is_causal')) {
    const size = dimArgs([shapeOf(q0).at(-2)!, shapeOf(k0).at(-2)!])
    const ones = c.call('aten.ones.default', [size], {
      dtype: dtypeArg('bool'),
      device: q0.meta.device!,
    }) as FakeTensor
    mask = c.op('aten.tril.default', ones)
  }
  mask = floatMask(c, mask, wide)
  const grouped = c.bool('enable_gqa')
  const k = grouped ? repeated(c, k0, shapeOf(q0).at(-3)!) : k0
  const v = grouped ? repeated(c, v0, shapeOf(q0).at(-3)!) : v0
  let scores = matmul(c, q, c.op('aten.mul.Scalar', transpose(c, k, -2, -1), scale))
  // In place in C++, where tracing sees the functional form.
  if (mask) scores = c.op('aten.add.Tensor', scores, mask)
  const weights = c.op('aten._safe_softmax.default', scores, -1n)
  const dropped = c.number('dropout_p')
    ? (c.call('aten.dropout.default', [weights, c.get('dropout_p'), true]) as FakeTensor)
    : weights
  const out = matmul(c, dropped, v)
  // C++ makes a tuple from the right.
  const weightsOut = cast(c, dropped, dtype)
  return { kind: 'tuple', items: [cast(c, out, dtype), weightsOut] }
}
register('aten._scaled_dot_product_attention_math', {
  implicit: (c) => math(c, [c.tensor('query'), c.tensor('key'), c.tensor('value')], c.maybeTensor('attn_mask')),
})
register('aten._safe_softmax', {
  decomp: (c) => {
    const x = c.tensor('self')
    const out = c.call('aten.softmax.int', [x, c.get('dim'), ...(c.has('dtype') ? [c.get('dtype')] : [])]) as FakeTensor
    const masked = c.op('aten.eq.Scalar', x, -Infinity)
    const all = c.op('aten.all.dim', masked, c.get('dim'), true)
    const zeros = fullLike(c, out, 0n)
    return c.op('aten.where.self', all, zeros, out)
  },
})

/** validate_sdpa_input. @throws TorchError RuntimeError */
function checkAttention(all: readonly FakeTensor[]): void {
  const [q, k, v] = all.map((t) => t.meta) as [TensorMeta, TensorMeta, TensorMeta]
  if (q.dtype !== k.dtype || q.dtype !== v.dtype) {
    const cpp = (d: string): string => CPP_TYPES[d] ?? d
    throw runtimeError(
      `Expected query, key, and value to have the same dtype, but got query.dtype: ${cpp(q.dtype)} key.dtype: ${cpp(k.dtype)} and value.dtype: ${cpp(v.dtype)} instead.`,
    )
  }
  if ([q, k, v].some((t) => t.shape.length < 2))
    throw runtimeError(
      `Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: ${q.shape.length} key.dim: ${k.shape.length} and value.dim: ${v.shape.length} instead.`,
    )
}
const CPP_TYPES: Readonly<Record<string, string>> = {
  float32: 'float',
  float64: 'double',
  float16: 'c10::Half',
  bfloat16: 'c10::BFloat16',
  int64: 'long int',
  int32: 'int',
  int8: 'signed char',
  uint8: 'unsigned char',
}

/** What the CPU's flash kernel takes (use_flash_attention_cpp). */
function flashes(c: OpCall, q: FakeTensor, k: FakeTensor, v: FakeTensor): boolean {
  if (shapeOf(q).length !== 4 || c.number('dropout_p') !== 0) return false
  if (![k, v].every((t) => shapeOf(t).length === 4 && sameDim(shapeOf(t)[3]!, shapeOf(q)[3]!))) return false
  const last = (t: FakeTensor): boolean => (t.meta.stride ?? contiguousStrides(t.meta.shape)).at(-1) === 1
  return ['float64', 'float32', 'bfloat16', 'float16'].includes(q.meta.dtype) && [q, k, v].every(last)
}

register('aten.scaled_dot_product_attention', {
  implicit: (c) => {
    const all = ['query', 'key', 'value'].map((n) => c.tensor(n)) as [FakeTensor, FakeTensor, FakeTensor]
    checkAttention(all)
    const unbatched = all.every((t) => shapeOf(t).length === 3)
    const batched = unbatched ? (all.map((t) => c.op('aten.unsqueeze.default', t, 0n)) as typeof all) : all
    let mask = c.maybeTensor('attn_mask')
    while (unbatched && mask && shapeOf(mask).length < 4) mask = c.op('aten.unsqueeze.default', mask, 0n)
    const made = flashes(c, ...batched)
      ? c.call(
          'aten._scaled_dot_product_flash_attention_for_cpu.default',
          [...batched, c.get('dropout_p'), c.get('is_causal')],
          { attn_mask: floatMask(c, mask, batched[0].meta.dtype), scale: c.get('scale') },
        )
      : math(c, batched, mask)
    const out = itemsOf(made)![0]!
    return unbatched && isFake(out) ? c.op('aten.squeeze.dim', out, 0n) : out
  },
})
register('aten._scaled_dot_product_flash_attention_for_cpu', {
  meta: (c) => {
    const q = c.tensor('query')
    const [b, h, l] = shapeOf(q) as [Dim, Dim, Dim]
    const shape = [b, h, l, shapeOf(c.tensor('value')).at(-1)!]
    // The result lies in memory as the query does.
    const order = physicalOrder([q.meta])
    const packed = contiguousStrides(order.map((i) => shape[i]!))
    const out = c.fresh(
      q.meta.dtype,
      shape,
      q.meta.device,
      shape.map((_, i) => packed[order.indexOf(i)]!),
    )
    const lse = c.fresh(q.meta.dtype === 'float64' ? 'float64' : 'float32', [b, h, l], q.meta.device, [
      mulDims(l, h),
      1,
      h,
    ])
    return { kind: 'tuple', items: [out, lse] }
  },
})

register('aten.repeat_interleave.self_int', {
  implicit: (c) => {
    let x = c.tensor('self')
    if (!c.has('dim')) x = c.op('aten.flatten.using_ints', x)
    const rank = shapeOf(x).length
    const dim = c.has('dim') ? wrapDim(c.int('dim'), rank) : 0
    const times = c.dim('repeats')
    const wide = c.op('aten.unsqueeze.default', x, BigInt(dim + 1))
    const shape = [...shapeOf(x).slice(0, dim + 1), times, ...shapeOf(x).slice(dim + 1)]
    const copies = c.call('aten.clone.default', [c.op('aten.expand.default', wide, dimArgs(shape))], {
      memory_format: { kind: 'memory_format', name: 'contiguous_format' },
    }) as FakeTensor
    const flat = dimArgs(shapeOf(x)).map((d, i) => (i === dim ? c.call('operator.mul', [d, dimArg(times)]) : d))
    return c.op('aten.view.default', copies, flat)
  },
})
