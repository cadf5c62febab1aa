/** Batch, instance and group normalization. */
import { type Dim, dtype as dtypeArg } from '../../../fx'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import { cpp } from '../../formula/formula'
import type { OpCall } from '../../op_call'
import { contiguousIn, suggestedFormat } from '../../memory_format'
import type { Traits, Rules } from '../../operator'
import { computationDtype } from '../../promote'
import { listText } from '../../strides'
import { floorDiv, mulDims, productOf } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'
import { cast } from '../elementwise/elementwise_rule'
import { reshape } from '../views/reshape'

/** Repeats unsqueeze(-1) until there are `rank` dimensions. */
function toRank(c: OpCall, x: FakeTensor, rank: number): FakeTensor {
  let out = x
  while (out.meta.shape.length < rank) out = c.op('aten.unsqueeze.default', out, -1n)
  return out
}

const STATS = 'input, weight, bias, running_mean, running_var'
const batchNormOfStats = cpp(`_native_batch_norm_legit_no_training(${STATS}, momentum, eps)[0]`)
const batchNormMovingStats = cpp(`_native_batch_norm_legit(${STATS}, True, momentum, eps)[0]`)
const batchNormOfBatch = cpp('_native_batch_norm_legit.no_stats(input, weight, bias, True, momentum, eps)[0]')

/** @param empty saved statistics if nothing is trained */
function batchNorm(c: OpCall, training: boolean, empty?: () => FakeTensor): DispatchArg {
  const x = c.tensor('input')
  const rank = x.meta.shape.length
  const wide = computationDtype(x.meta.dtype)
  const weighted = (centered: FakeTensor): FakeTensor => {
    let out = centered
    if (c.has('weight')) out = c.op('aten.mul.Tensor', out, toRank(c, c.tensor('weight'), rank - 1))
    if (c.has('bias')) out = c.op('aten.add.Tensor', out, toRank(c, c.tensor('bias'), rank - 1))
    return out
  }
  const output = (centered: FakeTensor): FakeTensor => cast(c, weighted(centered), x.meta.dtype)
  if (!training) {
    const copy = (name: string): FakeTensor =>
      c.call('aten._to_copy.default', [c.tensor(name)], { dtype: dtypeArg(wide) }) as FakeTensor
    const [mean, variance] = [copy('running_mean'), copy('running_var')]
    const rstd = inverseRoot(c, c.op('aten.add.Tensor', variance, c.get('eps')))
    const saved = empty ? [empty(), empty()] : null
    const [center, scale] = [toRank(c, mean, rank - 1), toRank(c, rstd, rank - 1)]
    const out = output(c.op('aten.mul.Tensor', c.op('aten.sub.Tensor', x, center), scale))
    const none = c.fresh(x.meta.dtype, [0], x.meta.device)
    return { kind: 'tuple', items: [out, ...(saved ?? [none, none])] }
  }
  const dims = x.meta.shape.map((_, i) => BigInt(i)).filter((i) => i !== 1n)
  const [variance, mean] = itemsOf(
    c.call('aten.var_mean.correction', [cast(c, x, wide), dims], { correction: 0n, keepdim: true }),
  )!
  const rstd = c.op('aten.rsqrt.default', c.op('aten.add.Tensor', variance!, c.get('eps')))
  const centered = c.op('aten.mul.Tensor', c.op('aten.sub.Tensor', x, mean!), rstd)
  const flat = (t: DispatchArg): FakeTensor => c.op('aten.squeeze.dims', t, dims)
  const [savedMean, savedRstd] = [flat(mean!), flat(rstd)]
  const momentum = c.number('momentum')!
  const moved = (name: string, fresh: FakeTensor): void => {
    const old = c.maybeTensor(name)
    if (!old) return
    const left = c.op('aten.mul.Tensor', fresh, momentum)
    const sum = c.op('aten.add.Tensor', left, c.op('aten.mul.Tensor', old, 1 - momentum))
    c.op('aten.copy_.default', old, sum)
  }
  moved('running_mean', savedMean)
  if (c.has('running_var')) {
    const n = Number(productOf(x.meta.shape)) / Number(x.meta.shape[1])
    moved('running_var', c.op('aten.mul.Tensor', flat(variance!), n / (n - 1)))
  }
  // On the CPU, the saved statistics are cast before the output.
  const out = weighted(centered)
  const saved = [savedMean, savedRstd].map((t) => (x.meta.device?.type === 'cpu' ? cast(c, t, x.meta.dtype) : t))
  return { kind: 'tuple', items: [cast(c, out, x.meta.dtype), ...saved] }
}

/** check_dims_match_num_input_features. @throws TorchError RuntimeError */
function checkFeatures(c: OpCall): void {
  const { shape } = c.tensor('input').meta
  // PyTorch takes the element after the symbolic sizes, which belongs to the second of them, and ends there.
  if (shape.length < 2 && shape.some((d) => typeof d === 'string'))
    throw new TorchError('IndexError', 'Dimension out of range (expected to be in range of [-1, 0], but got 1)')
  const features = shape[1]
  for (const name of ['running_mean', 'running_var', 'weight', 'bias']) {
    const count = c.has(name) ? productOf(c.tensor(name).meta.shape) : features
    if (typeof count === 'number' && typeof features === 'number' && count !== features)
      throw runtimeError(`${name} should contain ${features} elements not ${count}`)
  }
}

/** 1 / sqrt(x) of the running variance. */
const inverseRoot = (c: OpCall, x: FakeTensor): FakeTensor =>
  c.rules.rsqrtOfVariance
    ? c.op('aten.rsqrt.default', x)
    : c.op('aten.mul.Tensor', c.op('aten.reciprocal.default', c.op('aten.sqrt.default', x)), 1n)

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.batch_norm': {
    implicit: (c) => {
      checkFeatures(c)
      if (!c.bool('training')) return batchNormOfStats(c, c.tensor('input'))
      return (c.has('running_mean') ? batchNormMovingStats : batchNormOfBatch)(c, c.tensor('input'))
    },
  },
  'aten.native_batch_norm': {
    called: false,
    decomp: (c) => {
      const empty = (): FakeTensor => c.op('aten.new_zeros.default', c.tensor('input'), [0n])
      return batchNorm(c, c.bool('training'), empty)
    },
  },
  'aten._native_batch_norm_legit_no_training': { decomp: (c) => batchNorm(c, false) },
  'aten._native_batch_norm_legit': { decomp: (c) => batchNorm(c, true) },
  /** Treats the channels of all samples as the channels of a single sample. */
  'aten.instance_norm': {
    implicit: (c, x) => {
      const [n, channels, ...rest] = x.meta.shape as [Dim, Dim, ...Dim[]]
      const merged = mulDims(n, channels)
      const each = (name: string): DispatchArg =>
        c.has(name) ? c.op('aten.repeat.default', c.tensor(name), dimArgs([n])) : null
      const [weight, bias, mean, variance] = ['weight', 'bias', 'running_mean', 'running_var'].map(each)
      const dense = c.op('aten.contiguous.default', x)
      const out = c.call('aten.batch_norm.default', [
        c.op('aten.view.default', dense, dimArgs([1, merged, ...rest])),
        weight!,
        bias!,
        mean!,
        variance!,
        c.get('use_input_stats'),
        c.get('momentum'),
        c.get('eps'),
        c.get('cudnn_enabled'),
      ]) as FakeTensor
      return c.op('aten.view.default', out, dimArgs(x.meta.shape))
    },
  },
  'aten.group_norm': {
    implicit: (c, x) => {
      if (x.meta.shape.length < 2)
        throw runtimeError(`Expected at least 2 dimensions for input tensor but received ${x.meta.shape.length}`)
      const [n, channels, ...rest] = x.meta.shape as [Dim, Dim, ...Dim[]]
      const groups = c.int('num_groups')
      if (typeof channels === 'number' && channels % groups !== 0)
        throw runtimeError(
          `Expected number of channels in input to be divisible by num_groups, but got input of shape ${listText(x.meta.shape)} and num_groups=${groups}`,
        )
      const out = c.call('aten.native_group_norm.default', [
        x.meta.device?.type === 'cpu'
          ? contiguousIn(c, x, suggestedFormat(x.meta))
          : c.op('aten.contiguous.default', x),
        c.get('weight'),
        c.get('bias'),
        dimArg(n),
        dimArg(channels),
        dimArg(productOf(rest)),
        c.get('num_groups'),
        c.get('eps'),
      ])
      return itemsOf(out)![0]
    },
  },
  'aten.native_group_norm': {
    decomp: (c, x0) => {
      const [n, channels, inner] = [c.dim('N'), c.dim('C'), c.dim('HxW')]
      const groups = c.int('group')
      const each = floorDiv(channels, groups)
      const wide = computationDtype(x0.meta.dtype)
      const scaled = c.rules.scaledGroupNorm
      const x = scaled ? cast(c, x0, wide) : x0
      const grouped = cast(c, reshape(c, x, [n, groups, each, inner]), wide)
      const [variance, mean] = itemsOf(
        c.call('aten.var_mean.correction', [grouped, [2n, 3n]], { correction: 0n, keepdim: true }),
      )!
      const rstd = c.op('aten.rsqrt.default', c.op('aten.add.Tensor', variance!, c.get('eps')))
      const spread = (t: FakeTensor): FakeTensor => {
        let out = t
        for (let d = 2; d < x0.meta.shape.length; d++) out = c.op('aten.unsqueeze.default', out, BigInt(d))
        return out
      }
      let out: FakeTensor
      if (scaled && x0.meta.device?.type === 'cpu' && c.has('weight')) {
        const perGroup = (name: string): FakeTensor => reshape(c, c.tensor(name), [1, groups, each, 1])
        const flat = (t: FakeTensor): FakeTensor =>
          c.op('aten.as_strided.default', t, dimArgs([n, channels]), dimArgs([channels, 1]))
        const w = c.op('aten.mul.Tensor', rstd, perGroup('weight'))
        let b = c.op('aten.mul.Tensor', c.op('aten.neg.default', mean!), w)
        if (c.has('bias')) b = c.op('aten.add.Tensor', b, perGroup('bias'))
        const [flatW, flatB] = [flat(w), flat(b)]
        const [wideW, wideB] = [spread(flatW), spread(flatB)]
        out = c.op('aten.add.Tensor', c.op('aten.mul.Tensor', x, wideW), wideB)
      } else {
        const centered = c.op('aten.mul.Tensor', c.op('aten.sub.Tensor', grouped, mean!), rstd)
        out = c.op('aten.view.default', centered, dimArgs(x0.meta.shape))
        const channel = (t: FakeTensor): FakeTensor => spread(c.op('aten.unsqueeze.default', t, 0n))
        const early = !scaled && c.has('bias') ? channel(c.tensor('bias')) : null
        if (c.has('weight')) out = c.op('aten.mul.Tensor', out, channel(c.tensor('weight')))
        if (c.has('bias')) out = c.op('aten.add.Tensor', out, early ?? channel(c.tensor('bias')))
      }
      const [narrow, ...stats] = [out, mean as FakeTensor, rstd].map((t) => cast(c, t, x0.meta.dtype))
      const squeezed = stats.map((t) => c.op('aten.squeeze.dims', t, [2n, 3n]))
      return { kind: 'tuple', items: [narrow!, ...squeezed] }
    },
  },
})

export const TRAITS: Traits = {
  reduction: 'native_group_norm native_batch_norm _native_batch_norm_legit_no_training',
}
