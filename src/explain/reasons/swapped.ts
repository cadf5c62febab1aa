/** Cause for register_replacement(replace, search): the graph contains the replacement but not the search function. */
import type { Graph } from '../../fx'
import { Aligner } from '../align/align'
import { GraphIndex } from '../align/anchors'
import { patternGraph } from '../align/pattern_graph'
import { makeCause, type Cause } from '../causes'
import type { Registration } from '../../matcher/types'
import type { PassToExplain } from '../pass'

/** With more patterns in a pass, the author is not a beginner who swapped them. */
const MAX_PATTERNS = 4

/**
 * @param replacements by entry: the replacement traced over the example inputs
 * @returns a cause per entry of a pass without matches whose replacement, of at least two calls, aligns in the graph
 */
export function swappedFunctions(pass: PassToExplain, replacements: readonly (Graph | null)[]): Cause[] {
  if (pass.matches.length > 0 || pass.applyError || pass.entries.length > MAX_PATTERNS) return []
  return pass.entries.flatMap(({ index, registration }): Cause[] => {
    const graph = replacements[index]
    if (!graph || !('search' in registration)) return []
    const at = anchorOf(pass, graph, registration)
    if (at === null) return []
    const cause = makeCause({
      reason: {
        kind: 'swapped-functions',
        pattern: registration.title,
        node: at,
        call: registration.subgraph
          ? 'replace_pattern(gm, pattern, replacement)'
          : 'register_replacement(search, replace, …)',
      },
      graphNode: at,
      expected: 'the search function first',
      found: 'the replacement first',
      entry: index,
    })
    return [{ ...cause, source: registration.source }]
  })
}

/** The node at which every call of the traced function aligns. */
function anchorOf(pass: PassToExplain, graph: Graph, { argNames, subgraph }: Registration): string | null {
  const pattern = patternGraph(graph, subgraph ? [] : argNames, { subgraph })
  const [output] = pattern.outputs
  if (!output || pattern.outputs.length > 1 || pattern.calls.length < 2) return null
  const index = GraphIndex.of(pass.graph)
  const aligner = new Aligner(pattern, { schemaOf: pass.schemaOf, stage: subgraph ? 'specific' : 'initial', index })
  const at = aligner.placesOf(output, false).find((node) => aligner.align(output, node).causes.length === 0)
  return at?.name ?? null
}
