/** Reorders elements along a dimension. */
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, rankOf } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { Traits, Rules } from '../../operator'
import { runtimeError } from '../../torch_error'
import { elementwise } from '../elementwise/elementwise_rule'
import { upTo } from '../factories/ranges'
import * as guess from '../../guess/relations'

/** Rolls one dimension by picking rows with an index that starts at the shift. */
function rollOne(c: OpCall, x: FakeTensor, shift: number, dim: number): FakeTensor {
  const size = x.meta.shape[dim]!
  const start: DispatchArg =
    typeof size === 'number'
      ? BigInt((((size - shift) % size) + size) % size)
      : (c.call('operator.mod', [c.call('operator.sub', [dimArg(size), BigInt(shift)]), dimArg(size)]) as DispatchArg)
  const rows = upTo(c, size, 'int64', x.meta.device!)
  const index = c.op('aten.fmod.Scalar', c.op('aten.add.Tensor', rows, start), dimArg(size))
  return c.op('aten.index_select.default', x, BigInt(dim), index)
}

export const rules = (): Rules => ({
  'aten.flip': {
    guess: guess.likeFirst,
    decomp: (c, x) => {
      if (rankOf(x) === 0) return c.op('aten.clone.default', x)
      const dims = c.dims('dims')!.map((d) => BigInt(wrapDim(Number(d), rankOf(x))))
      if (new Set(dims).size < dims.length) throw runtimeError('duplicate value in the list of dims')
      return c.op('prims.rev.default', x, dims)
    },
  },
  'aten.rot90': {
    decomp: (c, x) => {
      const turns = ((c.int('k') % 4) + 4) % 4
      const [a, b] = c.dims('dims')!.map((d) => BigInt(Number(d)))
      const flip = (t: FakeTensor, dims: bigint[]): FakeTensor => c.op('aten.flip.default', t, dims)
      if (turns === 1) return c.op('aten.transpose.int', flip(x, [b!]), a!, b!)
      if (turns === 2) return flip(x, [a!, b!])
      if (turns === 3) return c.op('aten.transpose.int', flip(x, [a!]), a!, b!)
      return c.op('aten.clone.default', x)
    },
  },
  'aten.fliplr': { implicit: (c) => c.op('aten.flip.default', c.tensor('self'), [1n]) },
  'aten.flipud': { implicit: (c) => c.op('aten.flip.default', c.tensor('self'), [0n]) },
  'aten.roll': {
    guess: guess.likeFirst,
    decomp: (c, x) => {
      const [shifts, dims] = [c.dims('shifts')!.map(Number), c.dims('dims')!.map((d) => wrapDim(Number(d), rankOf(x)))]
      if (dims.length !== shifts.length && !(dims.length === 0 && shifts.length === 1))
        throw runtimeError(`shifts and dimensions must align. shifts: ${shifts.length}, dims: ${dims.length}`)
      if (dims.length === 0) {
        const flat = rollOne(c, c.op('aten.flatten.using_ints', x), shifts[0]!, 0)
        return c.op('aten.view.default', flat, dimArgs(x.meta.shape))
      }
      return shifts.reduce((out, shift, i) => rollOne(c, out, shift, dims[i]!), x)
    },
  },
  'prims.rev': { meta: (c) => elementwise(c, [c.tensor('a')]) },
})

export const TRAITS: Traits = {
  view: 'roll flip',
}
