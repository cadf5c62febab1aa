/** Finds the anchor of the match that would contain a pinned node. */
import { type Node, isGetitem, operatorOf } from '../../fx'
import { descend } from './anchors'
import { makeCause, type Cause } from '../causes'
import { PassIndex } from '../pass_index'
import { foundOf } from '../reasons/node_terms'
import { listed } from '../../base/english'
import { keyOf } from '../reasons/operators'
import type { PassToExplain } from '../pass'
import { coneOf } from './pattern_graph'
import { meeting } from './similarity'

/** Maximum number of pattern nodes, per output, that the pinned node is compared with. */
const MAX_READINGS = 12

/**
 * The anchor at which an entry aligns best with the node as part of the match. Returns the node itself if the pattern
 * fits no worse from there (a getitem inside a match may resemble the getitem at which the pattern starts), or if no
 * other anchor includes it.
 */
export function anchorContaining(pass: PassToExplain, entry: number, name: string): string {
  const facts = new PassIndex(pass)
  const node = facts.index.byName.get(name)
  const known = facts.alignableOf(entry)
  if (!node || !known) return name
  const { pattern, aligner } = known
  let best: { anchor: Node; value: number } | null = null
  for (const output of pattern.outputs) {
    const value = aligner.value(output, node)
    if (meeting(output, node) !== null && value > (best?.value ?? 0)) best = { anchor: node, value }
  }
  for (const output of pattern.outputs) {
    const cone = coneOf(output)
    const within = new Set(cone)
    const ends: Node[] = cone
      .filter((p) => p !== output && p.op !== 'placeholder' && meeting(p, node) !== null)
      .slice(0, MAX_READINGS)
      .flatMap((p) => descend(p, node, output, within)?.node ?? [])
    for (const anchor of new Set(ends)) {
      const value = aligner.value(output, anchor)
      if (meeting(output, anchor) === null || value <= (best?.value ?? 0)) continue
      if ([...aligner.align(output, anchor).pairs.values()].includes(node)) best = { anchor, value }
    }
  }
  return best?.anchor.name ?? name
}

/** Cause for a node whose operator differs from every output of the entry; null if one of them agrees. */
export function notAtRoot(pass: PassToExplain, entry: number, name: string): Cause | null {
  const facts = new PassIndex(pass)
  const node = facts.index.byName.get(name)
  const known = facts.alignableOf(entry)
  if (!node || !known) return null
  const { outputs } = known.pattern
  const maker = (n: Node): Node => (isGetitem(n) ? (n.inputs()[0] ?? n) : n)
  if (outputs.length === 0 || outputs.some((o) => keyOf(maker(o)) === keyOf(maker(node)))) return null
  const roots = [...new Set(outputs.map((o) => operatorOf(maker(o))))]
  const found = node.op === 'call_function' ? foundOf(maker(node)) : { op: node.op }
  return makeCause(
    {
      reason: {
        kind: 'not-at-root',
        pattern: facts.titleOf(entry),
        node: name,
        roots,
        found,
        isItem: isGetitem(node),
      },
      pattern: outputs[0]!,
      graph: node,
      expected: listed(roots),
      found: 'operator' in found ? found.operator : found.op,
    },
    (p) => known.pattern.indexOf(p),
  )
}
