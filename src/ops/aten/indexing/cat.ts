/** Concatenation along a dimension. */
import { type Arg, type Dim, dtype as dtypeArg, layout } from '../../../fx'
import { dimArgs, type DispatchArg, type FakeTensor, itemsOf, rankOf } from '../../fake'
import { commonDevice, wrapDim } from '../../op_call'
import { stridesIn, suggestedFormat } from '../../memory_format'
import type { Traits, Rules } from '../../operator'
import { elementwiseDtype } from '../../promote'
import { sizeRepr } from '../../strides'
import { addDims, isZero, subDims } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'
import { cast } from '../elementwise/elementwise_rule'
import * as guess from '../../guess/relations'

const empty1d = (t: FakeTensor): boolean => t.meta.shape.length === 1 && isZero(t.meta.shape[0]!)

/**
 * torch._refs.cat: the first tensor whose rank is not 1 is the example; if there is none, the first tensor. Empty one-dimensional
 * tensors fit any example.
 */
function checkRanks(tensors: readonly FakeTensor[]): void {
  const example = tensors.find((t) => rankOf(t) !== 1) ?? tensors[0]!
  const fail = (t: FakeTensor): never => {
    throw runtimeError(
      `Number of dimensions of tensors must match.  Expected ${rankOf(example)}-D tensors, but got ${rankOf(t)}-D for tensor number ${tensors.indexOf(t)} in the list`,
    )
  }
  const odd =
    tensors.find((t) => rankOf(t) !== 1 && rankOf(t) !== rankOf(example)) ??
    tensors.find((t) => rankOf(t) !== rankOf(example) && !empty1d(t))
  if (odd) fail(odd)
}

const MOST_DIMENSIONS = 64

/** Number of ways to choose r of n. */
function chosen(n: number, r: number, again: boolean): bigint {
  const from = again ? n + r - 1 : n
  let count = 1n
  for (let i = 1; i <= r; i++) count = (count * BigInt(from - r + i)) / BigInt(i)
  return count < 0n ? 0n : count
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.cat.default': {
    shape: 'Dimension dim has the sum of the sizes; the others must be equal.',
    guess: guess.concatenated,
    noop: ([list]) => (Array.isArray(list) && list.length === 1 ? (list as readonly Arg[])[0] : undefined),
    decomp: (c) => {
      if (c.tensors('tensors').length === 0)
        throw new TorchError('ValueError', 'cat expects at least one tensor, but received zero!')
      const all = c.tensors('tensors')
      const dim = c.int('dim')
      const kept = all.filter((t) => !empty1d(t) && !(dim < t.meta.shape.length && isZero(t.meta.shape.at(dim) ?? 1)))
      if (kept.length === 1) {
        const dtype = elementwiseDtype(all)
        return dtype === kept[0]!.meta.dtype ? c.op('aten.clone.default', kept[0]!) : cast(c, kept[0]!, dtype)
      }
      if (kept.length > 1 && kept.length < all.length) return c.op('aten.cat.default', kept, c.get('dim'))
      // A single tensor is repeated: broadcast it instead.
      if (kept.length > 1 && kept.every((t) => t === kept[0])) {
        const x = kept[0]!
        const at = wrapDim(dim, x.meta.shape.length)
        const shape = [...x.meta.shape.slice(0, at), kept.length, ...x.meta.shape.slice(at)]
        const wide = c.op('aten.expand.default', c.op('aten.unsqueeze.default', x, BigInt(at)), dimArgs(shape))
        return c.op('aten.clone.default', c.op('aten.flatten.using_ints', wide, BigInt(at), BigInt(at + 1)))
      }
      return undefined
    },
    meta: (c) => {
      const all = c.tensors('tensors')
      checkRanks(all)
      const kept = all.every(empty1d) ? all : all.filter((t) => !empty1d(t))
      const first = kept[0]!
      const dim = wrapDim(c.int('dim'), first.meta.shape.length)
      const shape = [...first.meta.shape]
      for (const [n, t] of kept.slice(1).entries())
        for (const [i, d] of t.meta.shape.entries())
          if (i === dim) shape[i] = addDims(shape[i]!, d)
          else if (typeof d === 'number' && typeof shape[i] === 'number' && d !== shape[i])
            throw runtimeError(
              `Sizes of tensors must match except in dimension ${dim}. Expected ${shape[i]} in dimension ${i} but got ${d} for tensor number ${n + 1} in the list`,
            )
      const formats = new Set(kept.map((t) => suggestedFormat(t.meta)))
      const format = formats.size === 1 ? suggestedFormat(first.meta) : 'contiguous_format'
      return c.fresh(elementwiseDtype(all), shape, commonDevice(all), stridesIn(format, shape))
    },
  },
  'aten.concat aten.concatenate': {
    implicit: (c) => c.call('aten.cat.default', [c.get('tensors'), c.get('dim')]),
  },
  'aten.stack': {
    shape: 'A new dimension dim has the number of tensors as its size.',
    decomp: (c) => {
      const all = c.tensors('tensors')
      const first = all[0]
      if (!first) throw runtimeError('stack expects a non-empty TensorList')
      const rank = first.meta.shape.length
      const dim = wrapDim(c.int('dim'), rank + 1)
      const odd = all.findIndex((t) => String(t.meta.shape) !== String(first.meta.shape))
      if (odd >= 0)
        throw runtimeError(
          `stack expects each tensor to be equal size, but got ${sizeRepr(first.meta.shape)} at entry 0 and ${sizeRepr(all[odd]!.meta.shape)} at entry ${odd}`,
        )
      if (dim < rank) {
        const shape = [...first.meta.shape.slice(0, dim), all.length, ...first.meta.shape.slice(dim)]
        return c.op('aten.view.default', c.op('aten.cat.default', all, BigInt(dim)), dimArgs(shape))
      }
      return c.op(
        'aten.cat.default',
        all.map((t) => c.op('aten.unsqueeze.default', t, BigInt(dim))),
        c.get('dim'),
      )
    },
  },
  'aten.column_stack': {
    implicit: (c) => {
      const all = c.tensors('tensors').map((t) => {
        const rank = t.meta.shape.length
        return rank > 1 ? t : c.op('aten.reshape.default', t, [rank === 0 ? 1n : dimArgs(t.meta.shape)[0]!, 1n])
      })
      return c.op('aten.cat.default', all, 1n)
    },
  },
  'aten.cartesian_prod': {
    implicit: (c) => {
      const all = c.tensors('tensors')
      if (all.length === 1) return all[0]!
      const grids = itemsOf(c.call('aten.meshgrid.default', [all]))!
      const flat = grids.map((t) => c.op('aten.flatten.using_ints', t))
      return c.op('aten.stack.default', flat, 1n)
    },
  },
  'aten.combinations': {
    called: false,
    implicit: (c) => {
      const x = c.tensor('self')
      if (rankOf(x) !== 1) throw runtimeError(`Expect a 1D vector, but got shape ${sizeRepr(x.meta.shape)}`)
      const [r, again] = [c.int('r', 2), c.bool('with_replacement')]
      if (r < 0) throw runtimeError(`Expect a non-negative number, but got ${r}`)
      if (r > MOST_DIMENSIONS) throw runtimeError(`tensor has too many (>${MOST_DIMENSIONS}) dims`)
      const on = (dtype: string): Record<string, Arg> => ({
        dtype: dtypeArg(dtype),
        layout: layout('strided'),
        device: x.meta.device!,
      })
      if (r === 0) return c.call('aten.empty.memory_format', [[0n]], on(x.meta.dtype))
      const [count] = dimArgs(x.meta.shape) as [DispatchArg]
      const range = c.call('aten.arange.default', [count], on('int64'))
      const grids = itemsOf(c.call('aten.meshgrid.default', [Array.from({ length: r }, () => range)]))!
      let mask = c.call('aten.full.default', [grids.map(() => count), true], on('bool')) as FakeTensor
      for (const [i, grid] of grids.slice(1).entries()) {
        const inOrder = c.op(`aten.${again ? 'le' : 'lt'}.Tensor`, grids[i]!, grid)
        mask = c.op('aten.mul_.Tensor', mask, inOrder)
      }
      const size = chosen(Number(x.meta.shape[0]), r, again)
      return c.op('aten.index.Tensor', x, [c.call('aten.nonzero_static.default', [mask], { size })])
    },
  },
  'aten.pad_sequence': {
    decomp: (c) => {
      const all = c.tensors('sequences')
      const first = all[0]
      if (!first) throw runtimeError('received an empty list of sequences')
      const rest = first.meta.shape.slice(1)
      const longest = Math.max(...all.map((t) => Number(t.meta.shape[0])))
      const batchFirst = c.bool('batch_first')
      const size = dimArgs([...(batchFirst ? [all.length, longest] : [longest, all.length]), ...rest])
      let out = c.op('aten.new_full.default', first, size, c.get('padding_value'))
      for (const [i, t] of all.entries()) {
        const missing = BigInt(longest - Number(t.meta.shape[0]))
        const sides = c.string('padding_side') === 'left' ? [missing, 0n] : [0n, missing]
        const pad = [...rest.flatMap(() => [0n, 0n]), ...sides]
        const row = c.op('aten.constant_pad_nd.default', t, pad, c.get('padding_value'))
        out = c.op('aten.select_scatter.default', out, row, batchFirst ? 0n : 1n, BigInt(i))
      }
      return out
    },
  },
  'aten.dstack': {
    implicit: (c) => {
      const all = c.tensors('tensors').map((t) => c.op('aten.atleast_3d.default', t))
      return c.op('aten.cat.default', all, 2n)
    },
  },
  'aten.block_diag': {
    decomp: (c) => {
      const flat = (t: FakeTensor): FakeTensor =>
        c.op('aten.view.default', t, [1n, t.meta.shape.length === 0 ? 1n : -1n])
      const all = c.tensors('tensors').map((t) => (t.meta.shape.length >= 2 ? t : flat(t)))
      const width = all.map((t) => t.meta.shape[1]!).reduce(addDims, 0)
      let before: Dim = 0
      const rows = all.map((t) => {
        const zeros = (columns: Dim): FakeTensor =>
          c.call('aten.zeros.default', [dimArgs([t.meta.shape[0]!, columns])], {
            dtype: dtypeArg(elementwiseDtype(all)),
            device: t.meta.device!,
          }) as FakeTensor
        const left = zeros(before)
        before = addDims(before, t.meta.shape[1]!)
        return c.op('aten.cat.default', [left, t, zeros(subDims(width, before))], 1n)
      })
      return c.op('aten.cat.default', rows)
    },
  },
  'aten.meshgrid': {
    implicit: (c) => {
      const all = c.tensors('tensors')
      const xy = c.string('indexing') === 'xy' && all.length >= 2
      const order = xy ? [all[1]!, all[0]!, ...all.slice(2)] : all
      const shape = order.map((t) => t.meta.shape[0] ?? 1)
      const grids = order.map((t, i) => {
        const own = order.map((_, k): Dim => (k === i ? -1 : 1))
        return c.op('aten.expand.default', c.op('aten.view.default', t, dimArgs(own)), dimArgs(shape))
      })
      return xy ? [grids[1]!, grids[0]!, ...grids.slice(2)] : grids
    },
  },
})

export const TRAITS: Traits = {
  view: 'cat stack',
  e8m0: 'cat',
}
