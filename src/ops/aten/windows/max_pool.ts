/** Max pooling, and its inverse (torch._decomp's _max_unpoolnd), which writes values to the positions of their maxima. */
import type { Dim } from '../../../fx'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import { all, type Expr, fold, load, number, where, whole } from '../../expr/expr'
import { exceeds } from '../../expr/functions'
import { type Kernel, type KernelCall, KernelRefusal, type Param, tensorArg } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import { freshLike } from '../../memory_format'
import type { Traits, Kernels, OpDef, Rules } from '../../operator'
import { productOf } from '../../sym'
import { attr, list, pooled, reached, SELF, sizes, tap, type Windows } from './window'
import type { OpCall } from '../../op_call'
import { runtimeError } from '../../torch_error'
import { CPU } from '../factories/empty'
import { reshape } from '../views/reshape'

/** Inductor computes windows with at most this many elements by offsets. */
const LARGEST_WINDOW = 25

const maxPool = (rank: 2 | 3): OpDef => ({
  implicit: (c) =>
    itemsOf(
      c.call(
        `aten.max_pool${rank}d_with_indices.default`,
        ['self', 'kernel_size', 'stride', 'padding', 'dilation', 'ceil_mode'].map((n) => c.get(n)),
      ),
    )![0],
})

const maxPoolWithIndices = (rank: 2 | 3): OpDef => ({
  decomp: (c) => {
    const kernel = list(c, 'kernel_size', rank)
    const sizes = [kernel, list(c, 'stride', rank, kernel), list(c, 'padding', rank), list(c, 'dilation', rank)].map(
      (d) => dimArgs(d),
    )
    const any = c.rules.poolsOfAnyRank
    const dilated = list(c, 'dilation', rank).some((d) => !c.isOne(d))
    if (Number(productOf(kernel)) > LARGEST_WINDOW || (!any && (rank !== 2 || dilated))) return undefined
    const prim = `prims._low_memory_max_pool${any ? '' : '2d'}`
    const x = c.tensor('self')
    const made = itemsOf(c.call(`${prim}_with_offsets.default`, [x, ...sizes, c.bool('ceil_mode')]))!
    // Inductor stores the offset within the window and computes the index in the plane from it on demand.
    const input = x.meta.shape.slice(-rank)
    const indices = any
      ? c.op(`${prim}_offsets_to_indices.default`, made[1]!, sizes[0]!, dimArgs(input), ...sizes.slice(1))
      : c.op(
          `${prim}_offsets_to_indices.default`,
          made[1]!,
          dimArg(kernel[1]!),
          dimArg(input[1]!),
          ...sizes.slice(1, 3),
        )
    return { kind: 'tuple', items: [made[0]!, indices] }
  },
  meta: (c, x) => {
    const shape = pooled(c, rank)
    return {
      kind: 'tuple',
      items: [freshLike(c, x.meta.dtype, shape, x), freshLike(c, 'int64', shape, x)],
    }
  },
})

/** One-dimensional pooling is two-dimensional pooling with a height of 1. */
export const tall = (dims: readonly Dim[], one: Dim): DispatchArg => dimArgs([one, ...dims])

const POOL: readonly Param[] = [
  SELF,
  attr('kernel_size'),
  attr('stride'),
  attr('padding', 0),
  attr('dilation', 1),
  attr('ceil_mode', false),
]

function poolOf(call: KernelCall): Windows & { rank: number } {
  const { shape } = tensorArg(call, 'self')
  const rank = 2
  if (shape.length < 3 || shape.length > 4)
    throw new KernelRefusal(`its input must have three or four dimensions, found [${shape.join(', ')}]`)
  const kernel = sizes(call.attrs['kernel_size'], rank, [1, 1])
  return {
    rank,
    kernel,
    stride: sizes(call.attrs['stride'], rank, kernel),
    padding: sizes(call.attrs['padding'], rank, [0, 0]),
    dilation: sizes(call.attrs['dilation'], rank, [1, 1]),
  }
}

/**
 * The maximum of each window (the first on a tie; NaN above all) with its position: torch.nn.functional.max_pool2d.
 * @param offsets true for the position within the window as int8 (Inductor's low-memory form), false for the position within the
 * input's plane
 */
const maxPoolKernel = (name: string, second: string, offsets: boolean): Kernel =>
  eachKernel({
    name,
    params: [...POOL, { name: 'out', kind: 'out' }, { name: second, kind: 'out' }],
    outputs(call) {
      const { shape, dtype } = tensorArg(call, 'self')
      const w = poolOf(call)
      const made = [...shape.slice(0, -2), ...reached(shape.slice(-2), w, call.attrs['ceil_mode'] === true)]
      return { out: { shape: made, dtype }, [second]: { shape: made, dtype: offsets ? 'int8' : 'int64' } }
    },
    values(call, index) {
      const w = poolOf(call)
      const [rows, cols] = tensorArg(call, 'self').shape.slice(-2) as [number, number]
      const [i, j] = index.slice(-2) as [Expr, Expr]
      const [best, at] = fold(w.kernel[0]! * w.kernel[1]!, [number(-Infinity), whole(-1)], (k, [best, at]) => {
        const p = tap(w, 0, i, k.over(w.kernel[1]!))
        const q = tap(w, 1, j, k.mod(w.kernel[1]!))
        const inside = all([p.ge(0), q.ge(0), p.lt(rows), q.lt(cols)])
        const v = load('self', ...index.slice(0, -2), p, q)
        const better = inside.and(at!.lt(0).or(exceeds(v, best!)))
        return [where(better, v, best!), where(better, offsets ? k : p.times(cols).plus(q), at!)]
      })
      return [best!, where(at!.lt(0), whole(0), at!)]
    },
  })

/** Windows of equal size if the sizes divide evenly; plain max pooling then suffices. */
const adaptive = (rank: 2 | 3): OpDef => ({
  decomp: (c, x) => {
    const from = x.meta.shape.slice(-rank)
    const to = list(c, 'output_size', rank)
    if ([...from, ...to].some((d) => typeof d !== 'number' || d === 0)) return undefined
    if (from.some((d, i) => Number(d) % Number(to[i]) !== 0)) return undefined
    const kernel = dimArgs(from.map((d, i) => Number(d) / Number(to[i])))
    return c.call(`aten.max_pool${rank}d_with_indices.default`, [x, kernel])
  },
  meta: (c, x) => {
    const shape = [...x.meta.shape.slice(0, -rank), ...list(c, 'output_size', rank)]
    return { kind: 'tuple', items: [freshLike(c, x.meta.dtype, shape, x), freshLike(c, 'int64', shape, x)] }
  },
})

const fractional = (rank: number): OpDef => ({
  called: false,
  meta: (c) => {
    const { shape, dtype, device } = c.tensor('self').meta
    const size = [...shape.slice(0, -rank), ...list(c, 'output_size', rank)]
    return { kind: 'tuple', items: [c.fresh(dtype, size, device), c.fresh('int64', size, device)] }
  },
})

function unpooled(c: OpCall, dims: number): FakeTensor {
  const [x, indices] = [c.tensor('self'), c.tensor('indices')]
  const { shape, device } = x.meta
  if (indices.meta.dtype !== 'int64')
    throw runtimeError(`elements in indices should be type int64 but got: torch.${indices.meta.dtype}`)
  const [outer, size] = [shape.slice(0, -dims), c.dims('output_size')!]
  const options = { device: device ?? CPU }
  const planes = c.call('aten.arange.default', dimArgs([productOf(outer)]), options) as FakeTensor
  const first = c.op('aten.view.default', planes, dimArgs([...outer, ...size.map(() => 1)]))
  const at = c.op('aten.add.Tensor', indices, c.op('aten.mul.Tensor', first, ...dimArgs([productOf(size)])))
  const places = reshape(c, at, [-1])
  const zeros = c.op('aten.new_zeros.default', x, dimArgs([...outer, ...size]))
  const flat = reshape(c, zeros, [-1])
  const values = reshape(c, x, [-1])
  const put = c.op('aten._unsafe_index_put.default', flat, [places], values, false)
  return c.op('aten.view.default', put, dimArgs([...outer, ...size]))
}

export const rules = (): Rules => ({
  'aten.max_pool2d': maxPool(2),
  'aten.max_pool3d': maxPool(3),
  'aten.max_pool2d_with_indices': maxPoolWithIndices(2),
  'aten.max_pool3d_with_indices': maxPoolWithIndices(3),
  'prims._low_memory_max_pool_with_offsets prims._low_memory_max_pool2d_with_offsets': {
    meta: (c, x) => {
      const shape = pooled(c, c.dims('kernel_size')!.length)
      return {
        kind: 'tuple',
        items: [freshLike(c, x.meta.dtype, shape, x), freshLike(c, 'int8', shape, x)],
      }
    },
  },
  'aten.max_pool1d': {
    implicit: (c) => {
      const kernel = list(c, 'kernel_size', 1)
      const made = c.call('aten.max_pool2d_with_indices.default', [
        c.op('aten.unsqueeze.default', c.tensor('self'), -2n),
        tall(kernel, 1),
        tall(list(c, 'stride', 1, kernel), 1),
        tall(list(c, 'padding', 1), 0),
        tall(list(c, 'dilation', 1), 1),
        c.bool('ceil_mode'),
      ])
      return c.op('aten.squeeze.dim', itemsOf(made)![0]!, -2n)
    },
  },
  'prims._low_memory_max_pool_offsets_to_indices prims._low_memory_max_pool2d_offsets_to_indices': {
    meta: (c, { meta: { shape, device, stride } }) => c.fresh('int64', shape, device, stride ?? undefined),
  },
  'aten.adaptive_max_pool1d': {
    implicit: (c) => {
      const wide = c.op('aten.unsqueeze.default', c.tensor('self'), -2n)
      const made = itemsOf(
        c.call('aten.adaptive_max_pool2d.default', [wide, [1n, c.dims('output_size')!.map(BigInt)[0]!]]),
      )!
      const flat = (t: DispatchArg): FakeTensor => c.op('aten.squeeze.dim', t, -2n)
      // C++ evaluates arguments from the right.
      const indices = flat(made[1]!)
      return { kind: 'tuple', items: [flat(made[0]!), indices] }
    },
  },
  'aten.adaptive_max_pool2d': adaptive(2),
  'aten.adaptive_max_pool3d': adaptive(3),
  'aten.fractional_max_pool2d': fractional(2),
  'aten.fractional_max_pool3d': fractional(3),
  'aten.max_unpool2d': { decomp: (c) => unpooled(c, 2) },
  'aten.max_unpool3d': { decomp: (c) => unpooled(c, 3) },
})

export const KERNELS: Kernels = {
  'aten.max_pool2d_with_indices': maxPoolKernel('max_pool2d_with_indices', 'indices', false),
  'prims._low_memory_max_pool_with_offsets': maxPoolKernel('_low_memory_max_pool_with_offsets', 'offsets', true),
}

export const TRAITS: Traits = {
  reduction: 'max_pool2d_with_indices',
}
