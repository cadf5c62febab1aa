/**
 * Lint `used-before-defined`: values used before their definition, right after a pass. PyTorch inserts a replacement at
 * the match, and leaves sorting (stable_topological_sort) and linting the graph to the owner of the pass.
 */
import { code, message, nodeAfter, worded } from '../../base/message'
import type { Node } from '../../fx'
import { Folded, type LintFacts } from './facts'
import type { Lint } from './types'

export function usedBeforeDefined(facts: LintFacts): Lint[] {
  const found = new Folded()
  for (const entry of facts.fired)
    for (const match of facts.matchesOf(entry.index)) {
      const wrong = firstOf(match.added.flatMap((n) => facts.nodeAfter(n) ?? []))
      if (!wrong) continue
      found.add(String(entry.index), () => ({
        kind: 'used-before-defined',
        entry: entry.index,
        graphNode: match.node,
        argument: null,
        source: entry.registration.source,
        ...worded(
          message`after the replacement, ${nodeAfter(wrong.user.name)} precedes ${nodeAfter(wrong.value.name)}, which it uses: the graph must be sorted (${code('stable_topological_sort')}) before it can be linted or run`,
        ),
      }))
    }
  return found.all()
}

function firstOf(added: readonly Node[]): { user: Node; value: Node } | null {
  for (const node of added) {
    const late = node.inputs().find((i) => node.isBefore(i))
    if (late) return { user: node, value: late }
    const early = [...node.users].find((u) => u.isBefore(node))
    if (early) return { user: early, value: node }
  }
  return null
}
