/** Histograms, and quantiles: quantile_compute of aten/src/ATen/native/Sorting.cpp. */
import { dtype as dtypeArg, layout, type Dim } from '../../../fx'
import { dimArgs, type DispatchArg, type FakeTensor } from '../../fake'
import { formula } from '../../formula/formula'
import { type OpCall, wrapDim } from '../../op_call'
import type { OpDef, Rules, Kernels } from '../../operator'
import { addDims, sameDims, subDims } from '../../sym'
import { runtimeError } from '../../torch_error'
import { load, number, sum, where, whole } from '../../expr/expr'
import { type Kernel, type KernelCall, KernelRefusal, numel, tensorArg } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import { RESULT, SELF } from '../indexing/index_tensor'

const convert = (c: OpCall, x: FakeTensor, dtype: string): FakeTensor =>
  x.meta.dtype === dtype ? x : c.op('prims.convert_element_type.default', x, dtypeArg(dtype))

/** The input with the reduced dimension last, in the shape of the output before it. */
function lastDim(c: OpCall, x: FakeTensor): FakeTensor {
  const { shape } = x.meta
  const keep = c.bool('keepdim')
  if (!c.has('dim')) {
    const flat = c.op('aten.flatten.using_ints', x)
    return c.op('aten.view.default', flat, dimArgs([...(keep ? shape.map(() => 1) : []), flat.meta.shape[0]!]))
  }
  const dim = wrapDim(c.int('dim'), shape.length)
  const turned =
    dim === shape.length - 1 ? x : c.op('aten.transpose.int', c.op('aten.unsqueeze.default', x, -1n), BigInt(dim), -1n)
  const rest = keep ? shape.map((d, i) => (i === dim ? 1 : d)) : shape.filter((_, i) => i !== dim)
  return c.op('aten.view.default', turned, dimArgs([...rest, shape[dim]!]))
}

function ranksOf(c: OpCall, sorted: FakeTensor, q: FakeTensor, ignoresNan: boolean): FakeTensor {
  const last = sorted.meta.shape.at(-1)!
  if (ignoresNan) {
    const isNumber = c.op('aten.logical_not_.default', c.op('aten.isnan.default', sorted))
    const counts = c.op('aten.sum.dim_IntList', isNumber, [-1n], true)
    const last = c.op('aten.sub.Scalar', counts, 1n)
    const ranks = c.op('aten.mul.Tensor', convert(c, q, 'float64'), last)
    return c.op('aten.masked_fill_.Scalar', ranks, c.op('aten.lt.Scalar', ranks, 0n), 0)
  }
  const final = Number(last) - 1
  const ranks = c.op('aten.mul.Scalar', convert(c, q, 'float64'), BigInt(final))
  const hasNan = c.op('aten.any.dim', c.op('aten.isnan.default', sorted), -1n, true)
  const shape: Dim[] = [...sorted.meta.shape.slice(0, -1), q.meta.shape[0] ?? 1]
  const wide = sameDims(ranks.meta.shape, shape) ? ranks : c.op('aten.expand.default', ranks, dimArgs(shape))
  const same = hasNan.meta.shape.at(-1) === shape.at(-1)
  const mask = same ? hasNan : c.op('aten.expand.default', hasNan, dimArgs(shape))
  return c.op('aten.masked_fill.Scalar', wide, mask, final)
}

const at = formula(
  `below = prims.convert_element_type.default(ranks, int64())
   gather(sort(lines)[0], -1, below)`,
  { cpp: false, helpers: { int64: () => dtypeArg('int64') } },
)

/** `ranks` are rounded in place. */
const between = formula(
  `below = prims.convert_element_type.default(ranks, int64())
   weights = full_like(ranks, 0.5, dtype=self.dtype) if midpoint else cast(ranks - below, self.dtype)
   above = prims.convert_element_type.default(ceil_(ranks), int64())
   sorted = sort(lines)[0]
   low = gather(sorted, -1, below)
   lerp_.Tensor(low, gather(sorted, -1, above), weights)`,
  { cpp: false, helpers: { int64: () => dtypeArg('int64') } },
)

function quantile(c: OpCall, x: FakeTensor, q: FakeTensor, ignoresNan: boolean): FakeTensor {
  if (!['float32', 'float64'].includes(x.meta.dtype))
    throw runtimeError('quantile() input tensor must be either float or double dtype')
  if (q.meta.shape.length > 1) throw runtimeError('quantile() q must be a scalar or 1D tensor')
  const mode = c.string('interpolation') ?? 'linear'
  const lines = lastDim(c, x)
  const ranks = ranksOf(c, lines, q, ignoresNan)
  const rounding = { lower: 'floor_', higher: 'ceil_', nearest: 'round_' }[mode]
  if (rounding) c.op(`aten.${rounding}.default`, ranks)
  const names: Record<string, DispatchArg> = { lines, ranks, midpoint: mode === 'midpoint' }
  const out = (mode === 'linear' || mode === 'midpoint' ? between : at)(c, (name) => names[name])
  if (q.meta.shape.length === 0) return c.op('aten.squeeze_.dim', out, -1n)
  const wide = c.op('aten.unsqueeze_.default', out, 0n)
  return c.op('aten.squeeze_.dim', c.op('aten.transpose_.default', wide, 0n, -1n), -1n)
}

const scalar = (ignoresNan: boolean): OpDef => ({
  implicit: (c, x) => {
    const value = c.number('q')!
    if (value < 0 || value > 1) throw runtimeError(`quantile() q must be in the range [0, 1] but got ${value}`)
    const q = c.call('aten.scalar_tensor.default', [value], {
      dtype: dtypeArg(x.meta.dtype),
      layout: layout('strided'),
      device: x.meta.device!,
    }) as FakeTensor
    return quantile(c, x, q, ignoresNan)
  },
})

const tensor = (ignoresNan: boolean): OpDef => ({
  implicit: (c) => quantile(c, c.tensor('self'), c.tensor('q'), ignoresNan),
})

const byBins = eachKernel({
  name: 'histc',
  params: [
    SELF,
    { name: 'bins', kind: 'attr', default: 100 },
    { name: 'min', kind: 'attr', default: 0 },
    { name: 'max', kind: 'attr', default: 0 },
    RESULT,
  ],
  outputs(call) {
    const { dtype } = tensorArg(call, 'self')
    if (Number(call.attrs['max']) <= Number(call.attrs['min']))
      throw new KernelRefusal('a range determined by the elements (min equal to max) is not supported')
    return { result: { shape: [Number(call.attrs['bins'])], dtype } }
  },
  values(call, [bin]) {
    const [low, high, bins] = rangeOf(call)
    const { shape } = tensorArg(call, 'self')
    return [
      sum(numel(shape), (r) => {
        const v = load('self', ...shape.map((n, d) => r.over(numel(shape.slice(d + 1))).mod(n)))
        const at = v
          .minus(low)
          .over(high - low)
          .times(bins)
          .whole()
        const own = where(at.ge(bins), whole(bins - 1), at).eq(bin!)
        return where(
          v
            .ge(number(low))
            .and(v.le(number(high)))
            .and(own),
          1,
          0,
        )
      }),
    ]
  },
})

/**
 * Counts of elements in `bins` equal intervals from min to max; elements outside are ignored: torch.histc. The CPU visits each
 * element once; a GPU visits it once per bin, because its threads do not share counts.
 */
const histc: Kernel = {
  ...byBins,
  reference(call, memory) {
    const [low, high, bins] = rangeOf(call)
    const counts = new Float32Array(bins)
    for (const v of memory.read('self'))
      if (v >= low && v <= high) counts[Math.min(Math.floor(((v - low) / (high - low)) * bins), bins - 1)]!++
    memory.write('result', counts)
  },
}

const rangeOf = (call: KernelCall): [number, number, number] => [
  Number(call.attrs['min']),
  Number(call.attrs['max']),
  Number(call.attrs['bins']),
]

/** Histograms. */
export const KERNELS: Kernels = { 'aten.histc': histc }

export const rules = (): Rules => ({
  'aten.quantile.scalar': scalar(false),
  'aten.quantile.default': tensor(false),
  'aten.nanquantile.scalar': scalar(true),
  'aten.nanquantile.default': tensor(true),
  'aten.histogram': {
    called: false,
    meta: (c) => {
      const { dtype, device } = c.tensor('self').meta
      const edges = c.maybeTensor('bins')?.meta.shape[0]
      const bins = edges === undefined ? c.dim('bins') : subDims(edges, 1)
      return { kind: 'tuple', items: [bins, addDims(bins, 1)].map((d) => c.fresh(dtype, [d], device)) }
    },
  },
  'aten.histc': {
    meta: (c) => c.fresh(c.tensor('self').meta.dtype, [c.dim('bins')], c.tensor('self').meta.device),
  },
})
