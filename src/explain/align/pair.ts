/** Explains one pattern at one pinned node ("this should match here"). */
import type { Node } from '../../fx'
import type { Alignment } from './align'
import type { EntryView } from '../../matcher/registry'
import { makeCause, rankCauses, type Cause } from '../causes'
import { droppedCause } from '../reasons/dropped'
import { withAlignedMessage } from '../folds'
import { neverMatches } from '../reasons/impossible'
import type { PassIndex } from '../pass_index'
import { NO_MESSAGE, type NearMissFold } from '../near_misses'
import { listed } from '../../base/english'
import { firstMismatch } from '../reasons/first_mismatch'
import type { Retracing } from '../reasons/retrace'

export function pairOf(entry: number, name: string, facts: PassIndex, retracing: Retracing): NearMissFold | null {
  const node = facts.index.byName.get(name)
  const view = facts.pass.entries[entry]
  if (!node || !view) return null
  const attempts = facts.pass.attempts.filter((a) => a.entry === entry && a.node === name)
  const last = attempts.at(-1)
  const base = {
    entry,
    phase: last?.phase ?? ('initial' as const),
    count: 1,
    anchors: [name],
    mismatch: last?.mismatch ?? null,
    reason: last?.dropped ?? last?.reason ?? '',
    taken: false,
  }
  const done = (fold: Pick<NearMissFold, 'aligned' | 'score' | 'of' | 'causes'>): NearMissFold =>
    withAlignedMessage({ ...base, ...NO_MESSAGE, ...fold })
  const matcherText = (): Cause =>
    firstMismatch(base, {
      kind: 'matcher-text',
      node: name,
      mismatch: base.mismatch,
      text: base.reason.slice(0, 200),
    })
  const known = facts.alignableOf(entry)
  const best = known && bestAt(node, known.pattern.outputs, (output) => retracing.at(entry, known, output, node))
  const reported: Cause[] = []
  const by = facts.takenBy.get(name)
  if (by && by.entry !== entry) reported.push(facts.takenCause(name))
  if (last?.dropped !== undefined)
    reported.push(droppedCause(last, facts.titleOf(entry), facts.index, facts.pass.schemaOf))
  const never = neverMatches(view, facts)
  if (never) reported.push(never)
  if (!known || !best) {
    if (last && !last.ok && reported.length === 0) reported.push(matcherText())
    if (!last && reported.length === 0) reported.push(otherRoot(view, node))
    return done({ aligned: [...(last?.nodes ?? last?.reached ?? [])], causes: reported })
  }
  const causes = rankCauses([...reported, ...best.causes])
  if (causes.length === 0 && last && !last.ok) causes.push(matcherText())
  return done({
    aligned: [...best.pairs.values()].map((g) => g.name),
    score: best.score,
    of: best.of,
    causes,
  })
}

/** Explains a hand-written pattern that was never tried at the node. */
function otherRoot({ keys }: EntryView, node: Node): Cause {
  const targets = keys.map((key) => key.slice(key.indexOf(':') + 1))
  return makeCause({
    reason: {
      kind: 'not-tried-at',
      node: node.name,
      roots: targets,
      found: node.op === 'call_function' ? { operator: node.target } : { op: node.op },
    },
    graph: node,
    expected: listed(targets),
    found: node.op === 'call_function' ? node.target : node.op,
  })
}

/** The alignment that starts at the output that fits the node best; the first output if none fits. */
function bestAt(node: Node, outputs: readonly Node[], at: (output: Node) => Alignment): Alignment | null {
  let best: Alignment | null = null
  for (const output of outputs) {
    const found = at(output)
    if (!best || found.score > best.score) best = found
  }
  return best
}
