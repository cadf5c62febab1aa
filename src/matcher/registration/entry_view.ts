/** Read-only views of passes and their entries, for reports and panels. */
import { targetToText, type Graph } from '../../fx'
import type { Entry } from '../entry'
import type { PatternMatcherPass } from '../pass'
import { PatternPrettyPrinter } from '../pretty_printer'
import type { GraphRegistration, Registration } from '../types'

export interface EntryView {
  index: number
  /** Registration number within the run. */
  number: number
  registration: Registration | GraphRegistration
  /** PatternPrettyPrinter.run of the initial pattern; repr for kinds that it cannot print. */
  text: string
  /** False if PatternPrettyPrinter.run raises. */
  printable: boolean
  /** `call_function:torch.ops.aten.add.Tensor`. */
  keys: readonly string[]
  /** The search function traced with the example inputs; null for a hand-written pattern. */
  searchGraph: Graph | null
}

export interface PassView {
  id: number
  /** PatternMatcherPass(pass_name=…). */
  name: string | null
  entries: readonly EntryView[]
}

/** The view of one entry of a pass. */
export function entryView(entry: Entry, pass: PatternMatcherPass): EntryView {
  const { index, number, registration, pattern, text, searchGraph } = entry
  return {
    index,
    number,
    registration,
    text,
    get printable() {
      return PatternPrettyPrinter.canPrint(pattern)
    },
    searchGraph,
    keys: [...new Set(pass.targetsOf(entry).map(([op, t]) => `${op}:${qualified(op, t)}`))],
  }
}

/** _get_qualified_name: `_operator.getitem`, `torch.ops.aten.add.Tensor`. */
function qualified(op: string, target: string): string {
  if (op !== 'call_function' && target.split('.').length < 3) return target
  if (/^builtins\./.test(target)) return target.slice('builtins.'.length)
  return /^operator\./.test(target) ? `_${target}` : targetToText(target)
}
