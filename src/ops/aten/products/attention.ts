/** scaled_dot_product_attention, and the kernels it dispatches to. */
import { device as deviceOf, type Dim, dtype as dtypeArg, type TensorMeta } from '../../../fx'
import { type Attention, attentionOf, headsOf } from '../../attention/heads'
import { attentionValues } from '../../attention/reference'
import { attentionPlan } from '../../attention/shader'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, isFake, itemsOf, shapeOf } from '../../fake'
import { type Kernel, type KernelCall, KernelRefusal, type OutSpec, type Param, tensorArg } from '../../kernel'
import type { OpCall } from '../../op_call'
import type { Traits, Kernels, Rules } from '../../operator'
import { computationDtype, cppType, isFloatDtype } from '../../promote'
import { contiguousStrides, physicalOrder } from '../../strides'
import { addDims, floorDiv, isOne, isZero, modDims, mulDims, sameDim } from '../../sym'
import { runtimeError } from '../../torch_error'
import { cast } from '../elementwise/elementwise_rule'
import { scalarTensor } from '../elementwise/where'
import { fullLike } from '../factories/like'
import { transpose } from '../views/permute'
import { matmul } from './matmul'

/** convert_boolean_attn_mask: true becomes 0, false minus infinity. */
function floatMask(c: OpCall, mask: FakeTensor | null, dtype: string): FakeTensor | null {
  if (mask?.meta.dtype !== 'bool') return mask
  const options = { dtype: dtypeArg(dtype), device: mask.meta.device! }
  const infinite = c.call('aten.scalar_tensor.default', [-Infinity], options)
  return c.op('aten.where.self', mask, scalarTensor(c, 0, dtype, mask), infinite)
}

/** The keys and values for grouped queries, repeated for each query head. */
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
  // In place in C++, but tracing sees the functional form.
  if (mask) scores = c.op('aten.add.Tensor', scores, mask)
  const weights = c.op('aten._safe_softmax.default', scores, -1n)
  const dropped = c.number('dropout_p')
    ? (c.call('aten.dropout.default', [weights, c.get('dropout_p'), true]) as FakeTensor)
    : weights
  const out = matmul(c, dropped, v)
  // C++ evaluates the tuple from the right.
  const weightsOut = cast(c, dropped, dtype)
  return { kind: 'tuple', items: [cast(c, out, dtype), weightsOut] }
}

/** validate_sdpa_input. @throws TorchError RuntimeError */
function checkAttention(all: readonly FakeTensor[]): void {
  const [q, k, v] = all.map((t) => t.meta) as [TensorMeta, TensorMeta, TensorMeta]
  if (q.dtype !== k.dtype || q.dtype !== v.dtype) {
    throw runtimeError(
      `Expected query, key, and value to have the same dtype, but got query.dtype: ${cppType(q.dtype)} key.dtype: ${cppType(k.dtype)} and value.dtype: ${cppType(v.dtype)} instead.`,
    )
  }
  if ([q, k, v].some((t) => t.shape.length < 2))
    throw runtimeError(
      `Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: ${q.shape.length} key.dim: ${k.shape.length} and value.dim: ${v.shape.length} instead.`,
    )
}

/** @throws TorchError RuntimeError */
function checkMask(c: OpCall, q: FakeTensor, mask: FakeTensor | null): void {
  if (mask && !['bool', 'float32', q.meta.dtype].includes(mask.meta.dtype))
    throw runtimeError(
      `Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: ${cppType(mask.meta.dtype)} and  query.dtype: ${cppType(q.meta.dtype)} instead.`,
    )
  if (mask && c.bool('is_causal'))
    throw runtimeError('_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True')
}

/** True if the CPU's flash kernel accepts the call (use_flash_attention_cpp). */
function flashes(c: OpCall, q: FakeTensor, k: FakeTensor, v: FakeTensor): boolean {
  if (shapeOf(q).length !== 4 || c.number('dropout_p') !== 0) return false
  if (!c.rules.anyAttention && !sameDim(shapeOf(q)[1]!, shapeOf(k)[1]!)) return false
  if (![k, v].every((t) => shapeOf(t).length === 4 && sameDim(shapeOf(t)[3]!, shapeOf(q)[3]!))) return false
  const [batch, heads] = shapeOf(q) as [Dim, Dim]
  const [own, values] = [shapeOf(k)[1]!, shapeOf(v)[1]!]
  if (![k, v].every((t) => sameDim(shapeOf(t)[0]!, batch))) return false
  const shared = c.bool('enable_gqa') ? isZero(modDims(heads, own)) : isOne(own)
  if (!sameDim(own, values) || !(sameDim(own, heads) || shared)) return false
  const last = (t: FakeTensor): boolean => (t.meta.stride ?? contiguousStrides(t.meta.shape)).at(-1) === 1
  return ['float64', 'float32', 'bfloat16', 'float16'].includes(q.meta.dtype) && [q, k, v].every(last)
}

const INPUTS: readonly Param[] = ['query', 'key', 'value'].map((name) => ({ name, kind: 'in' as const }))

const MASK: Param = { name: 'attn_mask', kind: 'in', optional: true, aliases: ['attn_bias'] }

const attr = (name: string, value: boolean | number | null): Param => ({ name, kind: 'attr', default: value })

const DROPOUT = attr('dropout_p', 0)

const CAUSAL = attr('is_causal', false)

const SCALE = attr('scale', null)

function sizes(call: KernelCall): Attention {
  if (Number(call.attrs['dropout_p']) !== 0)
    throw new KernelRefusal(
      `dropout is random, so a dropout_p of ${String(call.attrs['dropout_p'])} cannot be compared`,
    )
  return attentionOf(call, 'heads first', call.attrs['is_causal'] === true)
}

/** The result has the query's memory layout. */
function outSpec(call: KernelCall, { v }: Attention): OutSpec {
  const { shape, stride, dtype } = tensorArg(call, 'query')
  const made = [...shape.slice(0, -1), v.dim]
  const order = stride.map((_, d) => d).sort((a, b) => stride[a]! - stride[b]! || b - a)
  const dense = new Array<number>(made.length)
  let step = 1
  for (const d of order) {
    dense[d] = step
    step *= Math.max(1, made[d]!)
  }
  return { shape: made, dtype, stride: dense }
}

/**
 * softmax(q k^T * scale + mask) v: torch.nn.functional.scaled_dot_product_attention. Query [batch, heads, rows, d], key
 * and value [batch, heads or a divisor of them, keys, d]; with is_causal row i sees keys 0 to i.
 * @param lse the name of a second result, log(sum(exp(scores))) of [batch, heads, rows], laid out as [batch, rows, heads]
 */
function attention(name: string, params: readonly Param[], lse: string | null): Kernel {
  const out = lse ? 'output' : 'result'
  return {
    name,
    functional: true,
    params: [...INPUTS, ...params, { name: out, kind: 'out' }, ...(lse ? [{ name: lse, kind: 'out' } as const] : [])],
    outputs(call) {
      const a = sizes(call)
      const { heads, rows } = a.q
      const shape = tensorArg(call, 'query').shape.slice(0, -1)
      return {
        [out]: outSpec(call, a),
        ...(lse && { [lse]: { shape, dtype: 'float32', stride: [heads * rows, 1, heads].slice(3 - shape.length) } }),
      }
    },
    reference(call, memory) {
      const values = attentionValues(call, memory, sizes(call))
      memory.write(out, values.out)
      if (lse) memory.write(lse, values.lse)
    },
    plan(call, device) {
      const heads = headsOf(out, tensorArg(call, out), 'heads first')
      return attentionPlan(
        call,
        sizes(call),
        {
          label: name,
          out: { name: out, heads },
          ...(lse && { lse: { name: lse, view: tensorArg(call, lse) } }),
        },
        device,
      )
    },
  }
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten._scaled_dot_product_attention_math': {
    implicit: (c) => math(c, [c.tensor('query'), c.tensor('key'), c.tensor('value')], c.maybeTensor('attn_mask')),
  },
  'aten._safe_softmax': {
    decomp: (c, x) => {
      const out = c.call('aten.softmax.int', [
        x,
        c.get('dim'),
        ...(c.has('dtype') ? [c.get('dtype')] : []),
      ]) as FakeTensor
      const masked = c.op('aten.eq.Scalar', x, -Infinity)
      const all = c.op('aten.all.dim', masked, c.get('dim'), true)
      const zeros = fullLike(c, out, 0n)
      return c.op('aten.where.self', all, zeros, out)
    },
  },
  'aten.scaled_dot_product_attention': {
    shape: '[…, L, E], […, S, E] and […, S, V] give […, L, V].',
    implicit: (c) => {
      const all = ['query', 'key', 'value'].map((n) => c.tensor(n)) as [FakeTensor, FakeTensor, FakeTensor]
      checkAttention(all)
      const unbatched = c.rules.anyAttention && all.every((t) => shapeOf(t).length === 3)
      const batched = unbatched ? (all.map((t) => c.op('aten.unsqueeze.default', t, 0n)) as typeof all) : all
      let mask = c.maybeTensor('attn_mask')
      checkMask(c, all[0], mask)
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
  },
  'aten._scaled_dot_product_flash_attention_for_cpu': {
    meta: (c, q) => {
      const shape = shapeOf(q)
      const [b, h, l] = shape as [Dim, Dim, Dim]
      // The result has the query's memory layout.
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
  },
  'aten._scaled_dot_product_efficient_attention': {
    meta: (c, { meta: q }) => {
      const [batch, heads, rows] = q.shape as [Dim, Dim, Dim]
      const depth = shapeOf(c.tensor('value')).at(-1)!
      const laid = c.fresh(q.dtype, [batch, rows, heads, depth], q.device).meta.stride!
      const out = c.fresh(q.dtype, [batch, heads, rows, depth], q.device, [laid[0]!, laid[2]!, laid[1]!, laid[3]!])
      // Rows of the log-sum-exp are padded to 32, as the CUDA kernel writes them.
      const padded = c.bool('compute_log_sumexp') ? mulDims(floorDiv(addDims(rows, 31), 32), 32) : 0
      const lse = c.fresh('float32', [batch, heads, padded], q.device)
      return {
        kind: 'tuple',
        items: [out, lse, c.fresh('int64', [], deviceOf('cpu')), c.fresh('int64', [], deviceOf('cpu'))],
      }
    },
  },
})

export const KERNELS: Kernels = {
  'aten.scaled_dot_product_attention': attention(
    'scaled_dot_product_attention',
    [MASK, DROPOUT, CAUSAL, SCALE, attr('enable_gqa', false)],
    null,
  ),
  'aten._scaled_dot_product_flash_attention_for_cpu': attention(
    '_scaled_dot_product_flash_attention_for_cpu',
    [DROPOUT, CAUSAL, MASK, SCALE],
    'logsumexp',
  ),
  'aten._scaled_dot_product_flash_attention': attention(
    '_scaled_dot_product_flash_attention',
    [DROPOUT, CAUSAL, attr('return_debug_mask', false), SCALE],
    'logsumexp',
  ),
  'aten._scaled_dot_product_efficient_attention': attention(
    '_scaled_dot_product_efficient_attention',
    [MASK, attr('compute_log_sumexp', true), DROPOUT, CAUSAL, SCALE],
    'log_sumexp',
  ),
}

const FUSED =
  'scaled_dot_product_attention _scaled_dot_product_flash_attention _scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_efficient_attention _scaled_dot_product_cudnn_attention _scaled_dot_product_fused_attention_overrideable _flash_attention_forward _efficient_attention_forward'

export const TRAITS: Traits = {
  attention: FUSED,
  composite: `${FUSED} _scaled_dot_product_attention_math`,
}
