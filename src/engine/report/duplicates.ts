/** Registrations that are one pattern once constants and shapes are in: where both would fire, the first takes it. */
import type { Val } from '../../fx'
import { PythonError, type PatternRegistry } from '../../matcher'
import { TorchError } from '../../trace/types'
import { canonicalText } from '../pipeline/graph_diff'
import type { ReportedPass } from './pass_report'
import type { Duplicate, GraphView } from '../protocol'
import { viewOf } from './views'

/** Patterns that the initial stage cannot tell apart, over inputs of the same kinds. */
interface Family {
  /** The example inputs that all are traced over. */
  inputs: readonly Val[]
  text: string
  /** By what they are, constants included: the first of each. */
  known: Map<string, Duplicate['first']>
}

/**
 * By pass. PyTorch refuses a pattern that it knows when both were traced over inputs of the same sizes, and in one pass;
 * over others it does not notice. Yields between two traces.
 */
export function* duplicatesOf(
  passes: readonly ReportedPass[],
  registry: () => PatternRegistry,
): Generator<void, Duplicate[][]> {
  const families = new Map<string, Family>()
  const found: Duplicate[][] = []
  for (const { passId, report, toExplain } of passes) {
    const duplicates: Duplicate[] = []
    for (const { index, text, searchGraph, registration } of toExplain.entries) {
      if (!searchGraph || !('exampleInputs' in registration) || registration.scalarWorkaround) continue
      const view = viewOf(searchGraph)
      const inputs = inputsOf(view)
      const key = `${withoutNames(text)}\n${inputs.replace(/\[.*?\]/g, (sizes) => `${sizes.split(',').length}`)}`
      const family = families.get(key) ?? { inputs: registration.exampleInputs, text: inputs, known: new Map() }
      families.set(key, family)
      if (inputs !== family.text) yield
      const same = inputs === family.text ? view : tracedOver(family.inputs, passId, index, registry())
      if (!same) continue
      const first = family.known.get(canonicalText(same))
      if (first) duplicates.push({ entry: index, first })
      else family.known.set(canonicalText(same), { pass: report.name, entry: index })
    }
    found.push(duplicates)
  }
  return found
}

/** A pattern's text with its inputs numbered as they come: their names tell nothing apart. */
function withoutNames(text: string): string {
  const ids = new Map<string, number>()
  return text.replace(/KeywordArg\('(\w+)'/g, (_, name: string) => {
    if (!ids.has(name)) ids.set(name, ids.size)
    return `KeywordArg(${ids.get(name)}`
  })
}

const inputsOf = ({ nodes }: GraphView): string =>
  nodes.flatMap((n) => (n.op === 'placeholder' ? [`${n.dtype}${n.shape}`] : [])).join(' ')

/** A search function over other inputs than its own; null where it refuses them. */
function tracedOver(
  inputs: readonly Val[],
  passId: number,
  entry: number,
  registry: PatternRegistry,
): GraphView | null {
  try {
    const traced = registry.traceBoth(passId, entry, () => [...inputs])
    return traced && viewOf(traced.search)
  } catch (e) {
    if (e instanceof PythonError || e instanceof TorchError) return null
    throw e
  }
}
