/** Layer and RMS normalization. */
import { type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import type { Dim } from '../../../fx'
import { type DTypeName, roundTo } from '../../dtype'
import { cpp } from '../../formula/formula'
import type { OpCall } from '../../op_call'
import type { Traits, Rules } from '../../operator'
import { computationDtype, cppName, isFloatDtype } from '../../promote'
import { listText } from '../../strides'
import { runtimeError, TorchError } from '../../torch_error'
import { cast } from '../elementwise/elementwise_rule'
import * as guess from '../../guess/relations'

/** Sizes that are not known to differ: since the graph has run, a symbolic size has the value that the check requires. */
const agree = (a: readonly Dim[], b: readonly Dim[]): boolean =>
  a.length === b.length && a.every((d, i) => d === b[i] || typeof d === 'string' || typeof b[i] === 'string')

/** The normalized trailing dimensions. */
function normalizedDims(c: OpCall, x: FakeTensor): bigint[] {
  const shape = c.dims('normalized_shape')!
  const rank = x.meta.shape.length
  const tail = x.meta.shape.slice(rank - shape.length)
  if (shape.length > rank || !agree(tail, shape))
    throw runtimeError(
      `Given normalized_shape=${listText(shape)}, expected input with shape [*, ${shape.join(', ')}], but got input of size ${listText(x.meta.shape)}`,
    )
  return shape.map((_, i) => BigInt(rank - shape.length + i))
}

/** native_layer_norm's check of its weight and bias, which precedes the check of the input. */
function checkAffine(c: OpCall, name: string): void {
  const given = c.maybeTensor(name)
  const shape = c.dims('normalized_shape')!
  if (given && !agree(given.meta.shape, shape))
    throw runtimeError(
      `Expected ${name} to be of same shape as normalized_shape, but got ${name} of shape torch.Size(${listText(given.meta.shape)}) and normalized_shape = ${listText(shape)}`,
    )
}

/** torch.finfo(dtype).eps */
const EPS: Readonly<Record<string, number>> = {
  float64: 2 ** -52,
  float32: 2 ** -23,
  float16: 2 ** -10,
  bfloat16: 2 ** -7,
}

function rmsNorm(c: OpCall): DispatchArg {
  const x0 = c.tensor('input')
  const dims = normalizedDims(c, x0)
  if (!isFloatDtype(x0.meta.dtype))
    throw new TorchError('NotImplementedError', `"rms_norm" not implemented for '${cppName(x0.meta.dtype)}'`)
  const weight = c.maybeTensor('weight')
  if (weight && !agree(weight.meta.shape, c.dims('normalized_shape')!))
    throw runtimeError(
      `Expected weight to be of same shape as normalized_shape, but got weight of shape ${listText(weight.meta.shape)} and normalized_shape = ${listText(c.dims('normalized_shape')!)}`,
    )
  const wide = computationDtype(x0.meta.dtype)
  const kept = c.rules.wideRms ? wide : x0.meta.dtype
  const eps = c.has('eps') ? roundTo(kept as DTypeName, c.number('eps')!) : EPS[kept]!
  const x = cast(c, x0, wide)
  const mean = c.op('aten.mean.dim', c.op('aten.pow.Tensor_Scalar', x, 2n), dims, true)
  const rstd = c.op('aten.rsqrt.default', c.op('aten.add_.Scalar', mean, eps))
  let out = c.op('aten.mul.Tensor', x, rstd)
  if (!c.rules.wideRms) {
    out = cast(c, out, x0.meta.dtype)
    return { kind: 'tuple', items: [weight ? c.op('aten.mul.Tensor', out, weight) : out, rstd] }
  }
  if (c.has('weight')) out = c.op('aten.mul.Tensor', out, c.tensor('weight'))
  const dense = c.call('aten.contiguous.default', [out]) as FakeTensor
  return { kind: 'tuple', items: [cast(c, dense, x0.meta.dtype), rstd] }
}

export const rules = (): Rules => ({
  'aten.layer_norm': {
    guess: guess.normed,
    implicit: cpp('native_layer_norm(input, normalized_shape, weight, bias, eps)[0]'),
  },
  'aten.native_layer_norm': {
    shape: 'Three results: the normalized input, and mean and rstd with size 1 in the normalized dimensions.',
    guess: guess.nativeLayerNorm,
    registered: 'decomp',
    decomp: (c) => {
      const dense = (name: string): FakeTensor | null =>
        c.has(name) ? c.op('aten.contiguous.default', c.tensor(name)) : null
      for (const name of ['weight', 'bias']) checkAffine(c, name)
      const dims = normalizedDims(c, c.tensor('input'))
      const [x0, weight, bias] = [dense('input')!, dense('weight'), dense('bias')]
      const x = cast(c, x0, computationDtype(x0.meta.dtype))
      const [variance, mean] = itemsOf(
        c.call('aten.var_mean.correction', [x, dims], { correction: 0n, keepdim: true }),
      )!
      const rstd = c.op('aten.rsqrt.default', c.op('aten.add.Tensor', variance!, c.get('eps')))
      let out = c.op('aten.mul.Tensor', c.op('aten.sub.Tensor', x, mean!), rstd)
      if (weight) out = c.op('aten.mul.Tensor', out, weight)
      if (bias) out = c.op('aten.add.Tensor', out, bias)
      const narrow = (t: FakeTensor): FakeTensor => (x0.meta.device?.type === 'cpu' ? cast(c, t, x0.meta.dtype) : t)
      return {
        kind: 'tuple',
        items: [cast(c, out, x0.meta.dtype), narrow(mean as FakeTensor), narrow(rstd)],
      }
    },
  },
  'aten.rms_norm': {
    guess: guess.normed,
    implicit: (c) => itemsOf(rmsNorm(c))![0],
  },
  'aten._fused_rms_norm': { implicit: (c) => rmsNorm(c) },
})

export const TRAITS: Traits = {
  reduction: 'native_layer_norm layer_norm rms_norm _fused_rms_norm',
  composite: 'native_layer_norm layer_norm rms_norm _fused_rms_norm',
}
