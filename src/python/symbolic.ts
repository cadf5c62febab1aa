import { isSym, toDim } from '../ops/fake'
import { subDims } from '../ops/sym'
import type { DispatchArg, Tracer } from '../trace/types'

/**
 * Python's operators on symbolic sizes. The tracer does the arithmetic. Comparisons are decided like a guard with a
 * large hint: sizes are equal only if provably equal, and a symbol is greater than any number.
 * @param op name in the operator module: `add`, `lt`
 */
export function symbolic(tracer: Tracer, op: string, a: DispatchArg, b: DispatchArg): DispatchArg {
  const compare = COMPARE[op]
  if (op === 'neg') return tracer.call('operator.neg', [a], new Map())
  if (!compare) return tracer.call(`operator.${op}`, [a, b], new Map())
  if (typeof a === 'number' || typeof b === 'number') return compare(isSym(a) ? 1 : -1)
  const difference = subDims(toDim(a), toDim(b))
  return compare(typeof difference === 'number' ? difference : difference.startsWith('-') ? -1 : 1)
}

/** Compares by the sign of a - b. */
const COMPARE: Readonly<Record<string, (difference: number) => boolean>> = {
  eq: (d) => d === 0,
  ne: (d) => d !== 0,
  lt: (d) => d < 0,
  le: (d) => d <= 0,
  gt: (d) => d > 0,
  ge: (d) => d >= 0,
}
