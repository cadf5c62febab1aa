/** Random tensors. */
import { type Dim, dtype as dtypeArg, memoryFormat } from '../../../fx'
import { dimArgs, type DispatchArg, type FakeTensor } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Traits, OpDef, Rules } from '../../operator'
import { isFloatDtype } from '../../promote'
import { broadcastShapes, contiguousStrides, preservedStrides } from '../../strides'
import { TorchError } from '../../torch_error'
import { inOpmath } from '../elementwise/elementwise_rule'
import { allOptions, CPU, type Options } from './empty'
import { permutedLike } from './like'

const like = (x: FakeTensor, c: OpCall): FakeTensor =>
  c.fresh(x.meta.dtype, x.meta.shape, x.meta.device, preservedStrides(x.meta))

const optionsLike = (c: OpCall, x: FakeTensor): Options => ({
  dtype: dtypeArg(c.dtype() ?? x.meta.dtype),
  device: c.device() ?? x.meta.device ?? CPU,
  pin_memory: c.bool('pin_memory'),
})

const randomLike = (name: string): OpDef => ({
  decomp: (c, x) => {
    const options = optionsLike(c, x)
    return permutedLike(c, x, (size) => c.call(name, [size], options) as FakeTensor, true)
  },
})

/** torch._refs.normal: std * sample + mean, where prims.normal already shifts the sample. */
function normal(
  c: OpCall,
  shape: readonly Dim[],
  dtype: string,
  device: DispatchArg,
  own: { mean?: bigint; std?: bigint } = {},
): FakeTensor {
  const options = { dtype: dtypeArg(dtype), device, pin_memory: false }
  const drawn = c.call('aten.randn.default', [dimArgs(shape)], options) as FakeTensor
  const unit = c.op('aten.add.Tensor', c.op('aten.mul.Tensor', drawn, 1), 0)
  const std = c.maybeTensor('std')
  const scaled = std
    ? c.op('aten.mul.Tensor', std, unit)
    : c.op('aten.mul.Tensor', unit, own.std ?? c.number('std') ?? 1)
  return c.op('aten.add.Tensor', scaled, c.maybeTensor('mean') ?? own.mean ?? c.number('mean') ?? 0)
}

/** A distribution of torch._refs, written in place; half precision is sampled in float32. */
const filled = (draw: (c: OpCall, x: FakeTensor) => FakeTensor): OpDef => ({
  decomp: (c, x) => {
    if (!isFloatDtype(x.meta.dtype)) return undefined
    return c.op(
      'aten.copy_.default',
      x,
      inOpmath(c, [x], (y) => draw(c, y!))!,
    )
  },
})

/** Number of elements from the first to the last of a tensor in memory; null if it is symbolic. */
function storageLength(shape: readonly Dim[], stride: readonly Dim[]): number | null {
  let last = 0
  for (const [i, size] of shape.entries()) {
    const step = stride[i]!
    if (typeof size !== 'number' || typeof step !== 'number') return null
    if (size === 0) return 0
    last += (size - 1) * step
  }
  return last + 1
}

/** SELU's saturation value: dropped elements take it, and the rest is scaled to keep mean and variance. */
const ALPHA = 1.7580993408473766

const alphaDropout: OpDef = {
  implicit: (c) => {
    const [x, p] = [c.tensor('input'), c.number('p')!]
    if (!c.bool('train') || p === 0) return x
    if (p === 1) return undefined
    const byFeature = c.schema.name.startsWith('aten.feature_') && x.meta.shape.length > 2
    const size = byFeature ? x.meta.shape.map((d, i) => (i < 2 ? d : 1)) : x.meta.shape
    const options = allOptions(c, x.meta.dtype, x.meta.device ?? CPU)
    const made =
      byFeature || c.schema.name.startsWith('aten.feature_')
        ? c.call('aten.empty.memory_format', [dimArgs(size)], options)
        : c.op('aten.empty_like.default', x)
    const noise = c.op('aten.bernoulli_.float', made, 1 - p)
    const a = 1 / Math.sqrt((ALPHA * ALPHA * p + 1) * (1 - p))
    const shift = c.op('aten.mul_.Scalar', c.op('aten.add.Scalar', noise, -1n), ALPHA * a)
    const b = c.op('aten.add_.Scalar', shift, ALPHA * a * p)
    const scale = c.op('aten.mul_.Scalar', noise, a)
    return c.op('aten.add_.Tensor', c.op('aten.mul.Tensor', x, scale), b)
  },
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.rand_like': randomLike('aten.rand.default'),
  'aten.randn_like': randomLike('aten.randn.default'),
  'aten.randn.out': {
    implicit: (c) => {
      const sized = c.op('aten.resize_.default', c.tensor('out'), c.get('size'))
      return c.op('aten.normal_.default', sized)
    },
  },
  'aten.randint.default': {
    decomp: (c) => {
      const options: Options = {}
      for (const k of ['dtype', 'layout', 'device', 'pin_memory']) if (c.has(k)) options[k] = c.get(k)
      return c.call('aten.randint.low', [0n, c.get('high'), c.get('size')], options)
    },
  },
  'aten.randint.low': { meta: (c) => c.fresh(c.dtype() ?? 'int64', c.dims('size')!, c.device()) },
  'aten.randperm': { meta: (c) => c.fresh(c.dtype() ?? 'int64', [c.dim('n')], c.device()) },
  'aten.native_dropout': {
    decomp: (c, x) => {
      const p = c.number('p')!
      const ones = (value: boolean): FakeTensor =>
        c.call(value ? 'aten.ones_like.default' : 'aten.zeros_like.default', [x], {
          dtype: dtypeArg('bool'),
        }) as FakeTensor
      if (c.get('train') !== true || p === 0) return { kind: 'tuple', items: [x, ones(true)] }
      if (p === 1) return { kind: 'tuple', items: [c.op('aten.zeros_like.default', x), ones(false)] }
      if (!isFloatDtype(x.meta.dtype))
        throw new TorchError('RuntimeError', "result type Float can't be cast to the desired output type Long")
      const kept = c.op('aten.gt.Scalar', c.op('aten.rand_like.default', x), p)
      const scaled = c.op('aten.mul.Tensor', c.op('aten.mul.Tensor', kept, x), 1 / (1 - p))
      return { kind: 'tuple', items: [scaled, kept] }
    },
  },
  'aten.bernoulli.default': {
    decomp: (c, x) => {
      const drawn = c.op(
        'aten.lt.Tensor',
        c.call('aten.rand.default', [dimArgs(x.meta.shape)], {
          dtype: dtypeArg('float32'),
          device: x.meta.device!,
          pin_memory: false,
        }) as FakeTensor,
        x,
      )
      return c.op('prims.convert_element_type.default', drawn, dtypeArg(x.meta.dtype))
    },
  },
  'aten.multinomial': {
    meta: (c, { meta: { shape, device } }) => c.fresh('int64', [...shape.slice(0, -1), c.dim('num_samples')], device),
  },
  'aten.exponential_': {
    decomp: (c, x) => {
      if (x.meta.dtype !== 'float32' && x.meta.dtype !== 'float64') return undefined
      const epsilon = 2 ** (x.meta.dtype === 'float64' ? -53 : -24)
      const drawn = c.op('aten.rand_like.default', x)
      const high = c.op('aten.ge.Scalar', drawn, 1 - epsilon)
      const log = c.op('aten.where.ScalarSelf', high, -epsilon, c.op('aten.log.default', drawn))
      return c.op('aten.copy_.default', x, c.op('aten.mul.Tensor', log, -1 / c.number('lambd')!))
    },
  },
  'aten.geometric_': filled((c, x) => {
    const log = c.op('aten.log1p.default', c.op('aten.neg.default', c.op('aten.rand_like.default', x)))
    const steps = c.op('aten.div.Tensor', log, Math.log1p(-c.number('p')!))
    return c.op('aten.add.Tensor', c.op('aten.floor.default', steps), 1n)
  }),
  'aten.cauchy_': filled((c, x) => {
    const centered = c.op('aten.sub.Tensor', c.op('aten.rand_like.default', x), 0.5)
    const tangent = c.op('aten.tan.default', c.op('aten.mul.Tensor', centered, Math.PI))
    const scaled = c.op('aten.mul.Tensor', tangent, c.number('sigma') ?? 1)
    return c.op('aten.add.Tensor', scaled, c.number('median') ?? 0)
  }),
  'aten.log_normal_': filled((c, x) => {
    const scaled = c.op('aten.mul.Tensor', c.op('aten.randn_like.default', x), c.number('std') ?? 2)
    return c.op('aten.exp.default', c.op('aten.add.Tensor', scaled, c.number('mean') ?? 1))
  }),
  'aten.uniform_': {
    decomp: (c, x) => {
      const [low, high] = [c.number('from') ?? 0, c.number('to') ?? 1]
      const { shape, dtype, device } = x.meta
      const stride = x.meta.stride ?? contiguousStrides(shape)
      const length = storageLength(shape, stride)
      if (length === null) return undefined
      const options = { dtype: dtypeArg(dtype), device: device ?? CPU, pin_memory: false }
      const drawn = c.call('aten.rand.default', [[BigInt(length)]], options) as FakeTensor
      const moved = c.op('aten.add.Tensor', c.op('aten.mul.Tensor', drawn, high - low), low)
      return c.op('aten.copy_.default', x, c.op('aten.as_strided.default', moved, dimArgs(shape), dimArgs(stride)))
    },
  },
  'aten.normal_': {
    decomp: (c, x) => {
      const { shape, device } = x.meta
      // Defaults are dropped before dispatch, so the decomposition uses its own, which are ints.
      const own = c.number('mean') === 0 && c.number('std') === 1 ? { mean: 0n, std: 1n } : {}
      const drawn = normal(c, shape, 'float32', device ?? CPU, own)
      return c.op('aten.copy_.default', x, drawn)
    },
  },
  'aten.poisson': { meta: (c) => like(c.tensor('self'), c) },
  'aten.binomial': { meta: (c) => like(c.tensor('count'), c) },
  'aten.normal.Tensor_Tensor aten.normal.Tensor_float aten.normal.float_Tensor': {
    decomp: (c) => {
      const tensors = ['mean', 'std'].map((n) => c.maybeTensor(n)).filter((t) => t !== null)
      const { dtype, device } = tensors[0]!.meta
      return normal(c, broadcastShapes(tensors.map((t) => t.meta.shape)), dtype, device ?? CPU)
    },
  },
  'aten.normal.float_float': {
    decomp: (c) => normal(c, c.dims('size')!, c.dtype() ?? 'float32', c.device() ?? CPU),
  },
  'aten.alpha_dropout aten.feature_alpha_dropout': alphaDropout,
  'aten.bernoulli.p aten.rrelu_with_noise': { meta: (c) => like(c.tensor('self'), c) },
  'aten.rrelu': {
    implicit: (c, x) => {
      const noise = c.call('aten.empty_like.default', [x], { memory_format: memoryFormat('contiguous_format') })
      return c.call('aten.rrelu_with_noise.default', [x, noise, c.get('lower'), c.get('upper'), c.get('training')])
    },
  },
  'aten.randint_like': {
    decomp: (c, x) => {
      const options = optionsLike(c, x)
      const low = c.has('low') ? c.get('low') : 0n
      return permutedLike(
        c,
        x,
        (size) => c.call('aten.randint.low', [low, c.get('high'), size], options) as FakeTensor,
        true,
      )
    },
  },
  'aten.feature_dropout': {
    implicit: (c) => {
      const [x, p] = [c.tensor('input'), c.number('p')!]
      if (!c.bool('train') || p === 0 || p === 1) return p === 0 || !c.bool('train') ? x : undefined
      const size = dimArgs(x.meta.shape.map((d, i) => (i < 2 ? d : 1)))
      const noise = c.call(
        'aten.empty.memory_format',
        [size],
        allOptions(c, x.meta.dtype, x.meta.device ?? CPU),
      ) as FakeTensor
      const kept = c.op('aten.div_.Scalar', c.op('aten.bernoulli_.float', noise, 1 - p), 1 - p)
      return c.op('aten.mul.Tensor', x, kept)
    },
  },
})

export const TRAITS: Traits = {
  factory: 'rand randn rand_like randn_like randint',
}
