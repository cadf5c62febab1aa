/** Upsampling: nearest, linear and cubic interpolation as in torch/_decomp/decompositions.py. */
import { type Dim, dtype as dtypeArg } from '../../../fx'
import { dimArg, dimArgs, type FakeTensor, itemsOf, toDim } from '../../fake'
import { contiguousIn, freshLike, suggestedFormat } from '../../memory_format'
import type { OpCall } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { elementwiseDtype } from '../../promote'
import { runtimeError } from '../../torch_error'
import { pointwise } from '../elementwise/elementwise_rule'

type Scale = number | null

/** The sizes and scales of a `.vec` overload (upsample_compute_output_size, get_scale_value). */
function vecSizes(c: OpCall, x: FakeTensor): { sizes: Dim[]; scales: Scale[] } {
  const spatial = x.meta.shape.slice(2)
  const given = c.dims('output_size')
  const factors = itemsOf(c.get('scale_factors'))?.map(Number) ?? null
  if (!given && !factors) throw runtimeError('Must specify exactly one of output_size and scale_factors.')
  return {
    sizes: given ?? spatial.map((d, i) => scaledSize(c, d, factors![i]!)),
    scales: spatial.map((_, i) => factors?.[i] ?? null),
  }
}

const scaledSize = (c: OpCall, size: Dim, by: number): Dim =>
  toDim(
    Number.isInteger(by)
      ? c.call('operator.mul', [dimArg(size), BigInt(by)])
      : c.call('math.trunc', [c.call('operator.mul', [dimArg(size), by])]),
  )

/** A `.vec` overload calls the default overload with a scale for each dimension. */
const vec = (name: string, alignable: boolean): OpDef => ({
  implicit: (c, x) => {
    const { sizes, scales } = vecSizes(c, x)
    return c.call(`aten.${name}.default`, [
      x,
      dimArgs(sizes),
      ...(alignable ? [c.get('align_corners')] : []),
      ...scales,
    ])
  },
})

const SCALES: Readonly<Record<number, readonly string[]>> = {
  1: ['scales'],
  2: ['scales_h', 'scales_w'],
  3: ['scales_d', 'scales_h', 'scales_w'],
}

const scalesOf = (c: OpCall, rank: number): Scale[] => SCALES[rank]!.map((name) => c.number(name))
const int64 = dtypeArg('int64')
const convert = (c: OpCall, x: FakeTensor, dtype: string): FakeTensor =>
  c.op('prims.convert_element_type.default', x, dtypeArg(dtype))
const arange = (c: OpCall, size: Dim, x: FakeTensor, dtype?: string): FakeTensor =>
  c.call('aten.arange.default', [dimArg(size)], {
    ...(dtype === undefined ? {} : { dtype: dtypeArg(dtype) }),
    device: x.meta.device!,
  }) as FakeTensor

const nearest = (rank: 1 | 2 | 3, exact: boolean): OpDef =>
  pointwise('self', (c, x) => {
    const sizes = c.dims('output_size')!
    const scales = scalesOf(c, rank)
    const indices = sizes.map((size, d) => {
      const from = dimArg(x!.meta.shape[2 + d]!)
      const to = scales[d] === null ? dimArg(size) : c.call('operator.mul', [from, scales[d]!])
      const scale = c.call('operator.truediv', [from, to])
      const at = c.op('aten.add.Tensor', arange(c, size, x!, 'float32'), exact ? 0.5 : 0)
      let index = c.op('prims.convert_element_type.default', c.op('aten.mul.Tensor', at, scale), int64)
      for (let i = 0; i < rank - 1 - d; i++) index = c.op('aten.unsqueeze.default', index, -1n)
      return index
    })
    const out = c.op('aten._unsafe_index.Tensor', x!, [null, null, ...indices])
    return rank === 2 ? contiguousIn(c, out, suggestedFormat(x!.meta)) : out
  })

/** area_pixel_compute_scale */
function scaleOf(from: Dim, to: Dim, align: boolean, scale: Scale): number {
  if (align) return Number(to) > 1 ? (Number(from) - 1) / (Number(to) - 1) : 0
  return scale !== null && scale > 0 ? 1 / scale : Number(from) / Number(to)
}

/** area_pixel_compute_source_index */
function sourceIndex(c: OpCall, scale: number, at: FakeTensor, align: boolean): FakeTensor {
  if (align) return c.op('aten.mul.Tensor', at, scale)
  return c.op('aten.sub.Tensor', c.op('aten.mul.Tensor', c.op('aten.add.Tensor', at, 0.5), scale), 0.5)
}

const linear = (rank: 1 | 2 | 3): OpDef => pointwise('self', (c, x) => linearOf(c, x!, rank))

function linearOf(c: OpCall, x: FakeTensor, rank: number): FakeTensor {
  const align = c.bool('align_corners')
  const scales = scalesOf(c, rank)
  const dtype = elementwiseDtype([x], 'int_to_float')
  const values = c.dims('output_size')!.map((size, d) => {
    const from = x.meta.shape[2 + d]!
    const at = convert(c, arange(c, size, x), dtype)
    const source = sourceIndex(c, scaleOf(from, size, align, scales[d]!), at, align)
    const low = c.op('aten.clamp.default', source, 0)
    const own = [size, ...new Array<Dim>(rank - 1 - d).fill(1)]
    const float = c.op('aten.reshape.default', low, dimArgs(own))
    const whole = c.op('prims.convert_element_type.default', float, int64)
    const next = c.call('aten.clamp.default', [c.op('aten.add.Tensor', whole, 1n)], {
      max: BigInt(toDim(dimArg(from))) - 1n,
    }) as FakeTensor
    return { float, whole, next }
  })
  let corners: FakeTensor[] = Array.from({ length: 2 ** rank }, (_, corner) => {
    const index = values.map((v, d) => ((corner >> (rank - 1 - d)) & 1 ? v.next : v.whole))
    const taken = c.op('aten._unsafe_index.Tensor', x, [null, null, ...index])
    return taken.meta.dtype === dtype ? taken : convert(c, taken, dtype)
  })
  for (const { float, whole } of [...values].reverse()) {
    const part = c.op('aten.clamp.default', c.op('aten.sub.Tensor', float, whole), 0, 1)
    const joined: FakeTensor[] = []
    for (let i = 0; i < corners.length; i += 2) {
      const step = c.op('aten.mul.Tensor', c.op('aten.sub.Tensor', corners[i + 1]!, corners[i]!), part)
      joined.push(c.op('aten.add.Tensor', corners[i]!, step))
    }
    corners = joined
  }
  return contiguousIn(c, corners[0]!, suggestedFormat(x.meta))
}

const A = -0.75
/** ((A + 2) x - (A + 3)) x x + 1 */
function cubic1(c: OpCall, x: FakeTensor): FakeTensor {
  const inner = c.op('aten.sub.Tensor', c.op('aten.mul.Tensor', x, A + 2), A + 3)
  return c.op('aten.add.Tensor', c.op('aten.mul.Tensor', c.op('aten.mul.Tensor', inner, x), x), 1n)
}
/** ((A x - 5 A) x + 8 A) x - 4 A */
function cubic2(c: OpCall, x: FakeTensor): FakeTensor {
  const first = c.op('aten.sub.Tensor', c.op('aten.mul.Tensor', x, A), 5 * A)
  const second = c.op('aten.add.Tensor', c.op('aten.mul.Tensor', first, x), 8 * A)
  return c.op('aten.sub.Tensor', c.op('aten.mul.Tensor', second, x), 4 * A)
}

/** _upsample_get_cubic_coefficients */
export function cubicWeights(c: OpCall, t: FakeTensor): FakeTensor[] {
  if (t.meta.device?.type !== 'cpu')
    return [
      cubic2(c, c.op('aten.add.Tensor', t, 1)),
      cubic1(c, t),
      cubic1(c, c.op('aten.rsub.Scalar', t, 1)),
      cubic2(c, c.op('aten.rsub.Scalar', t, 2)),
    ]
  const near = c.op('aten.stack.default', [t, c.op('aten.rsub.Scalar', t, 1)])
  const far = c.op('aten.stack.default', [c.op('aten.add.Tensor', t, 1), c.op('aten.rsub.Scalar', t, 2)])
  const [outer, inner] = [cubic2(c, far), cubic1(c, near)]
  const [w0, w3] = itemsOf(c.call('aten.unbind.int', [outer]))! as readonly FakeTensor[]
  const [w1, w2] = itemsOf(c.call('aten.unbind.int', [inner]))! as readonly FakeTensor[]
  return [w0!, w1!, w2!, w3!]
}

/** The sum of products, from the left. */
export function sumOfProducts(c: OpCall, values: readonly FakeTensor[], weights: readonly FakeTensor[]): FakeTensor {
  let total: FakeTensor | null = null
  for (const [i, v] of values.entries()) {
    const product = c.op('aten.mul.Tensor', v, weights[i]!)
    total = total ? c.op('aten.add.Tensor', total, product) : product
  }
  return total!
}

function bicubic(c: OpCall, x: FakeTensor): FakeTensor {
  const align = c.bool('align_corners')
  const [rows, columns] = x.meta.shape.slice(2) as [Dim, Dim]
  const [h, w] = c.dims('output_size') as [Dim, Dim]
  const [scaleH, scaleW] = scalesOf(c, 2) as [Scale, Scale]
  const dtype = elementwiseDtype([x], 'int_to_float')
  const [i, j] = [convert(c, arange(c, h, x), dtype), convert(c, arange(c, w, x), dtype)]
  const xs = sourceIndex(c, scaleOf(columns, w, align, scaleW), j, align)
  const ys = c.op('aten.unsqueeze.default', sourceIndex(c, scaleOf(rows, h, align, scaleH), i, align), -1n)
  const [x0, y0] = [c.op('aten.floor.default', xs), c.op('aten.floor.default', ys)]
  const part = (a: FakeTensor, b: FakeTensor): FakeTensor =>
    c.op('aten.clamp.default', c.op('aten.sub.Tensor', a, b), 0, 1)
  const [partY, partX] = [part(ys, y0), part(xs, x0)]
  const [wholeX, wholeY] = [convert(c, x0, 'int64'), convert(c, y0, 'int64')]
  const around = (t: FakeTensor): FakeTensor[] => [
    c.op('aten.sub.Tensor', t, 1n),
    t,
    c.op('aten.add.Tensor', t, 1n),
    c.op('aten.add.Tensor', t, 2n),
  ]
  const [aroundY, aroundX] = [around(wholeY), around(wholeX)]
  const [weightsX, weightsY] = [cubicWeights(c, partX), cubicWeights(c, partY)]
  const bounded = (y: FakeTensor, at: FakeTensor): FakeTensor => {
    const row = c.op('aten.clamp.default', y, 0n, BigInt(Number(rows) - 1))
    const column = c.op('aten.clamp.default', at, 0n, BigInt(Number(columns) - 1))
    return c.op('aten._unsafe_index.Tensor', x, [null, null, row, column])
  }
  const line = (y: FakeTensor): FakeTensor =>
    sumOfProducts(
      c,
      aroundX.map((at) => bounded(y, at)),
      weightsX,
    )
  return contiguousIn(c, sumOfProducts(c, aroundY.map(line), weightsY), suggestedFormat(x.meta))
}

const sized: OpDef = {
  meta: (c, x) => freshLike(c, x.meta.dtype, [...x.meta.shape.slice(0, 2), ...c.dims('output_size')!], x),
}

export const rules = (): Rules => ({
  'aten.upsample_nearest1d.default': nearest(1, false),
  'aten.upsample_nearest2d.default': nearest(2, false),
  'aten.upsample_nearest3d.default': nearest(3, false),
  'aten._upsample_nearest_exact1d.default': nearest(1, true),
  'aten._upsample_nearest_exact2d.default': nearest(2, true),
  'aten._upsample_nearest_exact3d.default': nearest(3, true),
  'aten.upsample_linear1d.default': linear(1),
  'aten.upsample_bilinear2d.default': linear(2),
  'aten.upsample_trilinear3d.default': linear(3),
  'aten.upsample_bicubic2d.default': pointwise('self', (c, x) => bicubic(c, x!)),
  'aten._upsample_bilinear2d_aa.default aten._upsample_bicubic2d_aa.default': sized,
  ...Object.fromEntries(
    ['upsample_nearest1d', 'upsample_nearest2d', 'upsample_nearest3d'].flatMap((name) => [
      [`aten.${name}.vec`, vec(name, false)],
      [
        `aten.${name.replace('upsample_nearest', '_upsample_nearest_exact')}.vec`,
        vec(name.replace('upsample_nearest', '_upsample_nearest_exact'), false),
      ],
    ]),
  ),
  ...Object.fromEntries(
    `upsample_linear1d upsample_bilinear2d upsample_trilinear3d upsample_bicubic2d _upsample_bilinear2d_aa
     _upsample_bicubic2d_aa`
      .split(/\s+/)
      .map((name) => [`aten.${name}.vec`, vec(name, true)]),
  ),
})
