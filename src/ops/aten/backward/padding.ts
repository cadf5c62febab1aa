/** Backward operators of padding and unfold: decompositions, and the shapes of those that stay. */
import type { Dim } from '../../../fx'
import { dimArg, dimArgs, shapeOf, type DispatchArg, type FakeTensor } from '../../fake'
import { freshLike } from '../../memory_format'
import { wrapDim, type OpCall } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { addDims, subDims } from '../../sym'
import { upTo } from '../factories/ranges'

type Range = readonly [index: FakeTensor, low: Dim, high: Dim]

/** _reflection_pad_backward: the gradient of the middle, and those of what each reflection read. */
const reflection: OpDef = {
  decomp: (c) => {
    const [grad, x] = [c.tensor('grad_output'), c.tensor('self')]
    const shape = shapeOf(x)
    const padding = c.dims('padding')!
    const rank = padding.length / 2
    const lead = shape.length - rank
    const op = (name: string, ...args: DispatchArg[]): FakeTensor => c.op(`aten.${name}`, ...args)
    const indices = shape.map((size, i) => {
      const along = shape.map((_, d) => (d === i ? -1n : 1n))
      return op('view.default', upTo(c, size, 'int64', x.meta.device!), along)
    })
    const [batch, own] = [indices.slice(0, lead), indices.slice(lead)]
    const size = (i: number): Dim => subDims(shape[lead + i]!, 1)
    const pad = (i: number, side: 0 | 1): Dim => padding[2 * (rank - 1 - i) + side]!
    const from = (n: Dim, x: FakeTensor): FakeTensor => op('rsub.Scalar', x, dimArg(n))
    const each = <T>(make: (i: number) => T): T[] => own.map((_, i) => make(i))
    const center = each((i) => op('add.Tensor', own[i]!, dimArg(pad(i, 0))))
    const left = each((i) => from(pad(i, 0), own[i]!))
    const right = each((i) => from(addDims(addDims(size(i), size(i)), pad(i, 0)), own[i]!))
    const whole = each((i): Range => [center[i]!, 0, addDims(addDims(size(i), pad(i, 0)), pad(i, 1))])
    const part = (ranges: readonly Range[], at: readonly FakeTensor[]): FakeTensor => {
      const conditions = ranges.map(([index, low, high]) => {
        const above = op('ge.Scalar', index, dimArg(low))
        return op('logical_and.default', above, op('le.Scalar', index, dimArg(high)))
      })
      const mask = conditions.reduce((a, b) => op('logical_and.default', a, b))
      return op('_unsafe_masked_index.default', grad, mask, [...batch, ...at], 0)
    }
    let made = part(whole, center)
    for (let area = 0; area < 3 ** rank; area++) {
      // The first dimension changes last: before, in and behind the middle.
      const sides = each((i) => Math.floor(area / 3 ** (rank - 1 - i)) % 3)
      if (sides.every((side) => side === 1)) continue
      const ranges = each((i): Range => {
        if (sides[i] === 1) return whole[i]!
        return sides[i] === 0 ? [own[i]!, 1, pad(i, 0)] : [own[i]!, subDims(size(i), pad(i, 1)), subDims(size(i), 1)]
      })
      if (ranges.some(([, low, high]) => typeof low === 'number' && typeof high === 'number' && high < low)) continue
      const at = each((i) => [left, center, right][sides[i]!]![i]!)
      made = op('add.Tensor', made, part(ranges, at))
    }
    return made
  },
}

/** unfold_backward where windows of one dimension are written back together. */
const unfold: OpDef = {
  decomp: (c) => {
    const grad = c.tensor('grad_in')
    const sizes = c.dims('input_sizes')!
    const zeros = c.op('aten.new_zeros.default', grad, dimArgs(sizes))
    const dim = wrapDim(c.int('dim'), sizes.length)
    const device = grad.meta.device!
    const places = c.op('aten.unfold.default', upTo(c, sizes[dim]!, 'int32', device), 0n, c.get('size'), c.get('step'))
    const index = c.op('aten.flatten.using_ints', places)
    const moved = c.op('aten.movedim.int', grad, -1n, BigInt(dim + 1))
    const source = c.op('aten.flatten.using_ints', moved, BigInt(dim), BigInt(dim + 1))
    const at = [...new Array<null>(dim).fill(null), index]
    return c.op('aten._unsafe_index_put.default', zeros, at, source, true)
  },
}

const maskedIndex = (c: OpCall, x: FakeTensor): FakeTensor => {
  const made = c.op('aten._unsafe_index.Tensor', x, c.get('indices'))
  return c.fresh(made.meta.dtype, shapeOf(made), x.meta.device)
}

export const rules = (): Rules => ({
  'aten.reflection_pad1d_backward aten.reflection_pad2d_backward aten.reflection_pad3d_backward': reflection,
  'aten.replication_pad1d_backward aten.replication_pad2d_backward aten.replication_pad3d_backward': {
    meta: (c) => freshLike(c, c.tensor('self').meta.dtype, shapeOf(c.tensor('self')), c.tensor('self')),
  },
  'aten.unfold_backward': unfold,
  'aten._unsafe_masked_index': { meta: maskedIndex },
})
