/** grid_sampler_2d and affine grids (torch/_decomp/decompositions.py, decomp_grid_sampler_2d). */
import { type Dim, dtype as dtypeArg } from '../../../fx'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, shapeOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'
import { freshLike } from '../../memory_format'
import { pointwise } from '../elementwise/elementwise_rule'
import { cubicWeights, sumOfProducts } from './upsample'

const INTERPOLATIONS = ['bilinear', 'nearest', 'bicubic'] as const
const PADDINGS = ['zeros', 'border', 'reflection'] as const

/** One call: the sizes and options that its steps share. */
class GridSample {
  readonly n: Dim
  readonly channels: Dim
  readonly rows: number
  readonly columns: number
  readonly outRows: Dim
  readonly outColumns: Dim
  readonly padding: string
  readonly align: boolean
  private readonly batch: FakeTensor
  private readonly channel: FakeTensor

  constructor(
    private readonly c: OpCall,
    private readonly x: FakeTensor,
    readonly grid: FakeTensor,
    private readonly expanded: boolean,
  ) {
    const [n, channels, rows, columns] = x.meta.shape as [Dim, Dim, Dim, Dim]
    this.n = n
    this.channels = channels
    this.rows = Number(rows)
    this.columns = Number(columns)
    const at = expanded ? 2 : 1
    this.outRows = grid.meta.shape[at]!
    this.outColumns = grid.meta.shape[at + 1]!
    this.padding = PADDINGS[c.int('padding_mode')] ?? 'zeros'
    this.align = c.bool('align_corners')
    const index = (size: Dim, shape: readonly Dim[]): FakeTensor => {
      const made = c.call('aten.arange.default', [dimArg(size)], { device: x.meta.device! }) as FakeTensor
      return c.op('aten.view.default', made, dimArgs(shape))
    }
    this.batch = index(n, [n, 1, 1, 1])
    this.channel = index(channels, [1, channels, 1, 1])
  }

  /** Converts a coordinate in [-1, 1] to a position in the image. */
  unnormalized(at: FakeTensor, size: number): FakeTensor {
    const scale = this.align ? size * 0.5 - 0.5 : size * 0.5
    return this.c.op('aten.add.Tensor', this.c.op('aten.mul.Tensor', at, scale), size * 0.5 - 0.5)
  }

  private reflected(at: FakeTensor, low: number, high: number): FakeTensor {
    const { c } = this
    if (low === high) return c.op('aten.zeros_like.default', at)
    const [least, span] = [low / 2, (high - low) / 2]
    const from = c.op('aten.abs.default', c.op('aten.sub.Tensor', at, least))
    const flips = c.op(
      'prims.convert_element_type.default',
      c.op('aten.floor.default', c.op('aten.div.Tensor', from, span)),
      dtypeArg('int8'),
    )
    const extra = c.op('aten.fmod.Scalar', from, span)
    const even = c.op('aten.eq.Scalar', c.op('aten.bitwise_and.Scalar', flips, 1n), 0n)
    const up = c.op('aten.add.Tensor', extra, least)
    return c.op('aten.where.self', even, up, c.op('aten.rsub.Scalar', extra, span + least))
  }

  placed(at: FakeTensor, size: number): FakeTensor {
    const { c } = this
    if (this.padding === 'zeros') return at
    const clipped = (t: FakeTensor): FakeTensor => c.op('aten.clamp.default', t, 0n, BigInt(size - 1))
    if (this.padding === 'border') return clipped(at)
    return clipped(this.align ? this.reflected(at, 0, 2 * (size - 1)) : this.reflected(at, -1, 2 * size - 1))
  }

  source(at: FakeTensor, size: number): FakeTensor {
    return this.placed(this.unnormalized(at, size), size)
  }

  coordinates(): [FakeTensor, FakeTensor] {
    const last = BigInt(this.grid.meta.shape.length - 1)
    return [this.c.op('aten.select.int', this.grid, last, 0n), this.c.op('aten.select.int', this.grid, last, 1n)]
  }

  /** The image at integer positions, weighted; zero outside. */
  summand(ix: FakeTensor, iy: FakeTensor, weight: DispatchArg): FakeTensor {
    const { c } = this
    const inside = (t: FakeTensor, size: number): [FakeTensor, () => FakeTensor] => [
      c.op('aten.ge.Scalar', t, 0n),
      () => c.op('aten.lt.Scalar', t, BigInt(size)),
    ]
    const [leftX, rightX] = inside(ix, this.columns)
    const beforeColumns = rightX()
    const [leftY, rightY] = inside(iy, this.rows)
    const row = c.op('aten.logical_and.default', leftY, rightY())
    const valid = c.op('aten.logical_and.default', leftX, c.op('aten.logical_and.default', beforeColumns, row))
    const whole = [ix, iy].map((t) => c.op('prims.convert_element_type.default', t, dtypeArg('int64')))
    const clipped = [...whole, weight].map((v) => {
      const safe =
        typeof v === 'bigint' ? c.op('aten.where.Scalar', valid, v, 0n) : c.op('aten.where.ScalarOther', valid, v, 0n)
      const lead = this.expanded ? this.channels : 1
      return c.op('aten.view.default', safe, dimArgs([this.n, lead, this.outRows, this.outColumns]))
    })
    const taken = c.op('aten.index.Tensor', this.x, [this.batch, this.channel, clipped[1]!, clipped[0]!])
    return c.op('aten.mul.Tensor', taken, clipped[2]!)
  }
}

function bilinear(c: OpCall, g: GridSample): FakeTensor {
  const [x, y] = g.coordinates()
  const [ix, iy] = [g.source(x, g.columns), g.source(y, g.rows)]
  const [left, top] = [c.op('aten.floor.default', ix), c.op('aten.floor.default', iy)]
  const [right, bottom] = [c.op('aten.add.Tensor', left, 1n), c.op('aten.add.Tensor', top, 1n)]
  const area = (a: [FakeTensor, FakeTensor], b: [FakeTensor, FakeTensor]): FakeTensor =>
    c.op('aten.mul.Tensor', c.op('aten.sub.Tensor', ...a), c.op('aten.sub.Tensor', ...b))
  const weights = [
    area([right, ix], [bottom, iy]),
    area([ix, left], [bottom, iy]),
    area([right, ix], [iy, top]),
    area([ix, left], [iy, top]),
  ]
  const corners: [FakeTensor, FakeTensor][] = [
    [left, top],
    [right, top],
    [left, bottom],
    [right, bottom],
  ]
  let total: FakeTensor | null = null
  for (const [i, [cx, cy]] of corners.entries()) {
    const part = g.summand(cx, cy, weights[i]!)
    total = total ? c.op('aten.add.Tensor', total, part) : part
  }
  return total!
}

function bicubic(c: OpCall, g: GridSample): FakeTensor {
  const [x, y] = g.coordinates()
  const [ix, iy] = [g.unnormalized(x, g.columns), g.unnormalized(y, g.rows)]
  const [left, top] = [c.op('aten.floor.default', ix), c.op('aten.floor.default', iy)]
  const [tx, ty] = [c.op('aten.sub.Tensor', ix, left), c.op('aten.sub.Tensor', iy, top)]
  const bounded = (at: FakeTensor, row: FakeTensor): FakeTensor =>
    g.summand(g.placed(at, g.columns), g.placed(row, g.rows), 1n)
  const lines: FakeTensor[] = []
  for (let k = 0; k < 4; k++) {
    const row = c.op('aten.add.Tensor', top, BigInt(k - 1))
    const around = [
      bounded(c.op('aten.sub.Tensor', left, 1n), row),
      bounded(left, row),
      bounded(c.op('aten.add.Tensor', left, 1n), row),
      bounded(c.op('aten.add.Tensor', left, 2n), row),
    ]
    lines.push(sumOfProducts(c, around, cubicWeights(c, tx)))
  }
  return sumOfProducts(c, lines, cubicWeights(c, ty))
}

function sampled(c: OpCall, x: FakeTensor, given: FakeTensor): FakeTensor {
  const mode = INTERPOLATIONS[c.int('interpolation_mode')]
  const expanded = mode !== 'bilinear'
  let grid = given
  if (expanded) {
    const [n, rows, columns, two] = given.meta.shape as [Dim, Dim, Dim, Dim]
    const split = c.op('aten.view.default', given, dimArgs([n, 1, rows, columns, two]))
    grid = c.op('aten.expand.default', split, dimArgs([n, x.meta.shape[1]!, rows, columns, two]))
  }
  const g = new GridSample(c, x, grid, expanded)
  if (mode === 'bilinear') return bilinear(c, g)
  if (mode === 'bicubic') return bicubic(c, g)
  const [gx, gy] = g.coordinates()
  const [ix, iy] = [g.source(gx, g.columns), g.source(gy, g.rows)]
  return g.summand(c.op('aten.round.default', ix), c.op('aten.round.default', iy), 1n)
}

/** One axis of the grid: from -1 to 1, at the corners of the outer pixels or at their centers. */
function axis(c: OpCall, steps: number, options: Readonly<Record<string, DispatchArg>>): FakeTensor {
  if (steps <= 1) return c.call('aten.full.default', [[], 0n], options) as FakeTensor
  const end: DispatchArg = c.bool('align_corners') ? 1n : (steps - 1) / steps
  return c.call('aten.linspace.default', [-end, end, BigInt(steps)], options) as FakeTensor
}

/** Coordinates x, y, … and a last 1, for each point: [(depth,) height, width, coordinates + 1]. */
function baseGrid(c: OpCall, spatial: readonly number[]): FakeTensor {
  const { dtype, device } = c.tensor('theta').meta
  const options = { dtype: dtypeArg(dtype), device: device! }
  const rank = spatial.length
  const axes = spatial.toReversed().map((size, i) => {
    const shape = new Array<number>(rank + 1).fill(1)
    shape[rank - 1 - i] = size
    return c.op('aten.view.default', axis(c, size, options), dimArgs(shape))
  })
  const ones = c.call('aten.ones.default', [dimArgs(new Array<number>(rank + 1).fill(1))], options) as FakeTensor
  return [...axes, ones]
    .map((x, i) => c.op('aten.constant_pad_nd.default', x, [BigInt(i), BigInt(rank - i)], 0))
    .reduce((sum, x) => c.op('aten.add.Tensor', sum, x))
}

export const rules = (): Rules => ({
  'aten.grid_sampler': {
    implicit: (c) => {
      const args = c.all()
      return c.call(`aten.grid_sampler_${c.tensor('input').meta.shape.length === 5 ? '3d' : '2d'}.default`, args)
    },
  },
  'aten.grid_sampler_2d': pointwise('input grid', (c, x, grid) => sampled(c, x!, grid!)),
  'aten.grid_sampler_3d': {
    meta: (c) => {
      const [x, grid] = [c.tensor('input'), c.tensor('grid')]
      return freshLike(c, x.meta.dtype, [...x.meta.shape.slice(0, 2), ...grid.meta.shape.slice(1, -1)], x)
    },
  },
  'aten.affine_grid_generator': {
    decomp: (c, theta) => {
      const [n, , ...spatial] = c.dims('size')! as [number, number, ...number[]]
      const rank = spatial.length
      const points = c.op('aten.view.default', baseGrid(c, spatial), [-1n, BigInt(rank + 1), 1n])
      const last = shapeOf(theta).length - 1
      const turned = c.op('aten.transpose.int', theta, BigInt(last - 1), BigInt(last))
      const spread = c.op('aten.unsqueeze.default', turned, 1n)
      const grid = c.op('aten.sum.dim_IntList', c.op('aten.mul.Tensor', points, spread), [-2n])
      return c.op('aten.view.default', grid, dimArgs([n, ...spatial, rank]))
    },
  },
})
