/** Python's operators on the tracer's values: sizes, lists, and tensors through their aten counterpart. */
import { sym } from '../fx'
import { dimArg, isFake, isSym, itemsOf, toDim, type DispatchArg } from '../ops/fake'
import { addDims, floorDiv, maxDims, modDims, mulDims, subDims } from '../ops/sym'
import { TorchError } from '../ops/torch_error'
import type { Recorder } from './recorder'

const SYMBOLIC: Readonly<Record<string, (a: number | string, b: number | string) => number | string>> = {
  add: addDims,
  sub: subDims,
  mul: mulDims,
  floordiv: floorDiv,
  mod: modDims,
  pow: (a, b) => {
    let p: number | string = 1
    for (let i = 0; i < Number(b); i++) p = mulDims(p, a)
    return p
  },
  sym_max: maxDims,
}

const ATEN: Readonly<Record<string, string>> = {
  truediv: 'div',
  floordiv: 'floor_divide',
  mod: 'remainder',
  and_: 'bitwise_and',
  or_: 'bitwise_or',
  xor: 'bitwise_xor',
  invert: 'bitwise_not',
  iadd: 'add_',
  imul: 'mul_',
  isub: 'sub_',
}

/** @throws TorchError TypeError for operands that Python rejects */
export function callOperator(
  name: string,
  args: readonly DispatchArg[],
  call: (name: string, args: readonly DispatchArg[]) => DispatchArg,
  recorder: Recorder | undefined,
): DispatchArg {
  const fn = name.slice(name.lastIndexOf('.') + 1)
  if (fn === 'getitem') {
    const items = itemsOf(args[0])
    if (items) {
      const index = Number(toDim(args[1]))
      const item = items.at(index)
      if (item === undefined) throw new TorchError('IndexError', 'tuple index out of range')
      return item
    }
  }
  if (args.some(isFake)) return call(`aten.${ATEN[fn] ?? fn}`, args)
  if (fn === 'neg' && args.length === 1) return scalar(subDims(0, toDim(args[0])), name, args, recorder)
  const compute = SYMBOLIC[fn]
  if (fn === 'truediv' || args.some((a) => typeof a === 'number'))
    throw new TorchError('TypeError', `Fusescope does not trace a float computed from a symbolic size (${name})`)
  if (!compute) throw new TorchError('NotImplementedError', `Fusescope cannot trace ${name} of a symbolic size yet`)
  // As in __sym_dispatch__: multiplication by one adds no node.
  if (fn === 'mul' && args[1] === 1n) return args[0]!
  if (fn === 'mul' && args[0] === 1n) return args[1]!
  return scalar(compute(toDim(args[0]), toDim(args[1])), name, args, recorder)
}

function scalar(
  value: number | string,
  name: string,
  args: readonly DispatchArg[],
  recorder: Recorder | undefined,
): DispatchArg {
  if (typeof value === 'number') return dimArg(value)
  if (args.some(isSym)) recorder?.symbolic(value, name, args)
  return sym(value)
}
