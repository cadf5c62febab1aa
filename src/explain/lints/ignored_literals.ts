/** Lint `dropped-constant` of `replace_pattern_with_filters(…, ignore_literals=True)`: the graph has another literal than the pattern, and nothing passes it on. */
import { code, message, node, worded } from '../../base/message'
import { Node, type Arg } from '../../fx'
import { pyRepr } from '../../matcher/py'
import { sameLiteral } from '../align/subgraph_rules'
import { Folded, type LintFacts } from './facts'
import type { Lint } from './types'

export function ignoredLiterals(facts: LintFacts): Lint[] {
  const found = new Folded()
  for (const { index, registration } of facts.fired) {
    if (!('subgraph' in registration) || !registration.subgraph?.ignoreLiterals) continue
    if (!registration.subgraph.replacement) continue
    const nodes = facts.patternNodes(index)
    for (const match of facts.matchesOf(index))
      for (const [at, name] of match.map) {
        const [p, g] = [nodes[at], facts.nodeBefore(name)]
        const other = p?.op.startsWith('call') && g ? otherLiteral(p, g) : null
        if (!other || !p) continue
        const [expected, is] = other.map(pyRepr)
        found.add(`${index} ${at} ${is}`, () => ({
          kind: 'dropped-constant',
          entry: index,
          graphNode: name,
          argument: null,
          source: p.meta.source ?? registration.source,
          ...worded(
            message`ignore_literals takes any literal: ${node(name)} has ${code(is!)} where the pattern has ${code(expected!)}, and the replacement does not receive it`,
          ),
        }))
      }
  }
  return found.all()
}

function otherLiteral(p: Node, g: Node): readonly [Arg, Arg] | null {
  const pairs = [
    ...p.args.map((a, i) => [a, g.args[i]] as const),
    ...[...p.kwargs].map(([name, a]) => [a, g.kwargs.get(name)] as const),
  ]
  for (const [a, b] of pairs) {
    const other = b === undefined ? null : differing(a, b)
    if (other) return other
  }
  return null
}

function differing(a: Arg, b: Arg): readonly [Arg, Arg] | null {
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    for (const [i, item] of (a as Arg[]).entries()) {
      const other = differing(item, (b as Arg[])[i]!)
      if (other) return other
    }
    return null
  }
  return a instanceof Node || b instanceof Node || sameLiteral(a, b) ? null : [a, b]
}
