/** Highlights the nodes of one expression of an explained pattern. */
import type { ExplainedStage, GraphView } from '../../../engine/protocol'
import { nodeNamed } from '../../../engine/queries/report_index'
import type { Highlight } from '../../report/highlight'

/**
 * @param base the highlight of the pattern node that the expression belongs to; it has the Python line
 * @param before the graph before the passes, `after` that after them
 */
export function partHighlight(
  base: Highlight,
  part: number,
  stage: ExplainedStage,
  before: GraphView | null,
  after: GraphView | null,
): Highlight {
  const nodes = (stage.expressions[part]?.nodes ?? []).filter((n) => nodeNamed(before, n))
  if (nodes.length === 0) return base
  const kept = nodes.filter((n) => nodeNamed(after, n))
  return {
    ...base,
    before: new Set(nodes),
    after: new Set(kept),
    focusBefore: nodes[0]!,
    focusAfter: kept[0] ?? null,
  }
}
