/** Answers "This should match here": one pattern at one node. */
import { anchorContaining, notAtRoot } from '../../explain/align/pinned_anchor'
import { explainPair } from '../../explain/explain'
import { withMessage } from '../../explain/near_misses'
import { unexplained } from '../../explain/reasons/first_mismatch'
import type { ReportedPass } from '../report/pass_report'
import type { PinAnswer } from '../protocol'

/**
 * Explains on the graph before the pass. For a pass that ran twice: the run in which the pattern fired, else the first
 * run in which the node exists.
 * @throws Error if there is no such pass, pattern or node
 */
export function pinAnswer(applied: readonly ReportedPass[], pass: string, entry: number, node: string): PinAnswer {
  const runs = applied.filter((p) => p.report.name === pass)
  if (runs.length === 0) throw new Error(`The pass ${pass} is not in the last run. Run the patterns again.`)
  const fired = runs.find((p) => p.matches.some((m) => m.entry === entry && m.nodes.includes(node)))
  const run = fired ?? runs.find((p) => p.before.find(node) !== null)
  if (!run) throw new Error(`The graph has no node ${node} when ${pass} runs: a pass before it replaced the node.`)
  if (!run.toExplain.entries[entry])
    throw new Error(`The pass ${pass} has no pattern ${entry}. Run the patterns again.`)
  if (fired) return { pass, entry, node, fires: true, miss: null }
  const anchor = anchorContaining(run.toExplain, entry, node)
  const fold = explainPair(run.toExplain, entry, anchor)
  if (!fold) return { pass, entry, node, fires: false, miss: null }
  const root = anchor === node ? notAtRoot(run.toExplain, entry, node) : null
  // The pattern's root comes first: an alignment at another operator may be a coincidence.
  const others = (fold.causes ?? []).filter((c) => !root || c.kind !== 'wrong-operator' || c.graphNode !== node)
  const causes = root ? [root, ...others] : others
  const taken = causes.length > 0 && causes.every((c) => c.kind === 'taken')
  const words = root ? withMessage(fold, '', root.parts) : fold
  const known = causes.length > 0 ? causes : [unexplained(words)]
  return { pass, entry, node, fires: false, miss: { ...words, index: 0, anchors: [node], taken, causes: known } }
}
