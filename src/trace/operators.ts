/** Python's operators on the tracer's values: sizes, lists, and tensors through their aten counterpart. */
import { sym } from '../fx'
import {
  abs,
  add,
  float,
  floorDiv,
  FUNCTIONS,
  isFloat,
  isInt,
  leftShift,
  max,
  min,
  mod,
  mul,
  neg,
  powByNatural,
  rightShift,
  sub,
  textOf,
  toFloat,
  type Sym,
} from '../fx/sym'
import { isFake, isSym, itemsOf, toDim, type DispatchArg } from '../ops/fake'
import { symOf } from '../ops/sym'
import { TorchError } from '../ops/torch_error'
import type { Recorder } from './recorder'

const { FloatPow, FloatTrueDiv, IntTrueDiv } = FUNCTIONS as Record<string, Rule>
type Rule = (...args: Sym[]) => Sym
const anyFloat = (args: readonly Sym[]): boolean => args.some(isFloat)

/** The functions of SymInt and SymFloat (torch.fx.experimental.sym_node), by name. */
const SYMBOLIC: Readonly<Record<string, Rule>> = {
  add,
  sub,
  mul,
  floordiv: floorDiv,
  mod,
  pow: (...args) => (anyFloat(args) ? FloatPow! : powByNatural)(args[0]!, args[1]!),
  truediv: (...args) => (anyFloat(args) ? FloatTrueDiv! : IntTrueDiv!)(...args),
  neg,
  pos: (a) => a!,
  abs,
  lshift: leftShift,
  rshift: rightShift,
  and_: FUNCTIONS['BitwiseFn_bitwise_and']!,
  or_: FUNCTIONS['BitwiseFn_bitwise_or']!,
  xor: FUNCTIONS['BitwiseFn_bitwise_xor']!,
  floor: FUNCTIONS['FloorToInt']!,
  ceil: FUNCTIONS['CeilToInt']!,
  trunc: FUNCTIONS['TruncToInt']!,
  round: (...args) => FUNCTIONS[args.length === 1 ? 'RoundToInt' : 'RoundDecimal']!(...args),
  sym_float: toFloat,
  sym_sum: add,
  sym_max: max,
  sym_min: min,
}
/** If one operand is a float, the other becomes a float: promote2. */
const PROMOTED = new Set(['add', 'sub', 'mul', 'mod', 'pow', 'truediv', 'floordiv', 'sym_min', 'sym_max'])

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
  return onSizes(name, args, call, recorder)
}

function onSizes(
  name: string,
  args: readonly DispatchArg[],
  call: (name: string, args: readonly DispatchArg[]) => DispatchArg,
  recorder: Recorder | undefined,
): DispatchArg {
  const fn = name.slice(name.lastIndexOf('.') + 1)
  const rule = SYMBOLIC[fn] ?? FUNCTIONS[`OpaqueUnaryFn${fn.replace('_sym', '')}`]
  if (!rule) throw new TorchError('NotImplementedError', `Fusescope cannot trace ${name} of a symbolic size yet`)
  const given = (itemsOf(args[0]) ?? args).filter((a) => a !== null)
  const operands = given.map(operand)
  const negative = fn === 'pow' && isInt(operands[1]!) && operands[1].value < 0
  if (PROMOTED.has(fn) && (anyFloat(operands) || negative)) {
    const floats = given.map((a, i) =>
      isFloat(operands[i]!) ? a : isSym(a) ? call('torch.sym_float', [a]) : Number(a),
    )
    if (fn === 'floordiv') return call('torch.sym_float', [call('math.floor', [call('operator.truediv', floats)])])
    if (floats.some((a, i) => !Object.is(a, given[i]))) return call(name, floats)
  }
  // As in __sym_dispatch__: multiplication by one adds no node.
  if (fn === 'mul' && args[1] === 1n) return args[0]!
  if (fn === 'mul' && args[0] === 1n) return args[1]!
  const result = computed(rule, operands)
  const float = isFloat(result) || (PROMOTED.has(fn) && anyFloat(operands))
  if (result.kind === 'number') return float ? result.value : BigInt(result.value)
  const expr = textOf(result)
  return recorder && args.some((a) => isSym(a) || itemsOf(a)) ? recorder.symbolic(expr, name, args) : sym(expr)
}

/** A value of the tracer as an operand of SymInt and SymFloat. */
export function operand(a: DispatchArg): Sym {
  if (typeof a === 'number') return float(a)
  return symOf(toDim(a))
}

/** @throws TorchError ZeroDivisionError */
function computed(rule: Rule, operands: Sym[]): Sym {
  try {
    return rule(...operands)
  } catch (e) {
    if (e instanceof RangeError) throw new TorchError('ZeroDivisionError', e.message)
    throw e
  }
}
