/**
 * Finds registrations whose patterns are equal once constants and shapes are known: where both match, the first one
 * fires.
 */
import { orElse } from '../../base/or_else'
import type { Val } from '../../fx'
import { PythonError, type PatternRegistry } from '../../matcher'
import { TorchError } from '../../trace/types'
import { canonicalText } from '../pipeline/graph_diff'
import type { ReportedPass } from './pass_report'
import type { Duplicate, GraphView } from '../protocol'
import { viewOf } from './views'

/** Patterns that stage one cannot distinguish, over inputs of the same dtypes and ranks. */
interface Family {
  /** The example inputs for all traces. */
  inputs: readonly Val[]
  text: string
  /** By canonical text, constants included: the first registration. */
  known: Map<string, Duplicate['first']>
}

/**
 * Duplicates by pass. PyTorch refuses a duplicate only in the same pass and if both were traced over inputs of the same
 * sizes. Yields between two traces.
 */
export function* duplicatesOf(
  passes: readonly ReportedPass[],
  registry: PatternRegistry,
): Generator<void, Duplicate[][]> {
  const families = new Map<string, Family>()
  const found: Duplicate[][] = []
  for (const { passId, report, toExplain } of passes) {
    const duplicates: Duplicate[] = []
    if (passId === null) {
      found.push(duplicates)
      continue
    }
    for (const { index, text, searchGraph, registration } of toExplain.entries) {
      if (!searchGraph || !('exampleInputs' in registration) || registration.scalarWorkaround) continue
      const view = viewOf(searchGraph)
      const inputs = inputsOf(view)
      const key = `${withoutNames(text)}\n${inputs.replace(/\[.*?\]/g, (sizes) => `${sizes.split(',').length}`)}`
      const family = families.get(key) ?? { inputs: registration.exampleInputs, text: inputs, known: new Map() }
      families.set(key, family)
      if (inputs !== family.text) yield
      const same = inputs === family.text ? view : tracedOver(family.inputs, passId, index, registry)
      if (!same) continue
      const first = family.known.get(canonicalText(same))
      if (first) duplicates.push({ entry: index, first })
      else family.known.set(canonicalText(same), { pass: report.name, entry: index })
    }
    found.push(duplicates)
  }
  return found
}

/** A pattern's text with its inputs numbered in order, independent of their names. */
export function withoutNames(text: string): string {
  const ids = new Map<string, number>()
  return text.replace(/KeywordArg\('(\w+)'/g, (_, name: string) => {
    if (!ids.has(name)) ids.set(name, ids.size)
    return `KeywordArg(${ids.get(name)}`
  })
}

const inputsOf = ({ nodes }: GraphView): string =>
  nodes.flatMap((n) => (n.op === 'placeholder' ? [`${n.dtype}${n.shape}`] : [])).join(' ')

/** Traces a search function over other inputs than its own; null if it raises. */
function tracedOver(
  inputs: readonly Val[],
  passId: number,
  entry: number,
  registry: PatternRegistry,
): GraphView | null {
  const traced = orElse(() => registry.traceBoth(passId, entry, () => [...inputs]), null, PythonError, TorchError)
  return traced && viewOf(traced.search)
}
