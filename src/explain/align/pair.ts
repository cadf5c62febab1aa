/** One pattern at one node: what a person asks with "this should match here". */
import type { Node } from '../../fx'
import type { Alignment } from './align'
import type { EntryView } from '../../matcher/registry'
import { makeCause, rankCauses, type Cause } from '../causes'
import { droppedCause } from '../reasons/dropped'
import { alignedSentence } from '../folds'
import { neverMatches } from '../reasons/impossible'
import type { Knowledge } from '../known'
import type { NearMissFold } from '../near_misses'
import { listed } from '../../base/english'
import { fallback } from '../reasons/pytorch_words'
import type { Retracing } from '../reasons/retrace'

export function pairOf(entry: number, name: string, facts: Knowledge, retracing: Retracing): NearMissFold | null {
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
  const done = (fold: Pick<NearMissFold, 'aligned' | 'score' | 'of' | 'causes'>): NearMissFold => {
    const all = { ...base, sentence: '', ...fold }
    return { ...all, sentence: alignedSentence(all) }
  }
  const known = facts.knownOf(entry)
  const best = known && bestAt(node, known.pattern.outputs, (output) => retracing.at(entry, known, output, node))
  const told: Cause[] = []
  const by = facts.takenBy.get(name)
  if (by && by.entry !== entry) told.push(facts.takenCause({ ...base, sentence: '', aligned: [] }))
  if (last?.dropped !== undefined) told.push(droppedCause(last, facts.titleOf(entry), facts.index, facts.pass.schemaOf))
  const never = neverMatches(view, facts)
  if (never) told.push(never)
  if (!known || !best) {
    if (last && !last.ok && told.length === 0)
      told.push(fallback({ ...base, sentence: `at ${name} the matcher says: ${base.reason.slice(0, 200)}` }))
    if (!last && told.length === 0) told.push(otherRoot(view, node))
    return done({ aligned: [...(last?.nodes ?? last?.reached ?? [])], causes: told })
  }
  const causes = rankCauses([...told, ...best.causes])
  if (causes.length === 0 && last && !last.ok)
    causes.push(fallback({ ...base, sentence: `at ${name} the matcher says: ${base.reason.slice(0, 200)}` }))
  return done({
    aligned: [...best.pairs.values()].map((g) => g.name),
    score: best.score,
    of: best.of,
    causes,
  })
}

/** A pattern given by hand that was never tried at the node. */
function otherRoot({ keys }: EntryView, node: Node): Cause {
  const targets = keys.map((key) => key.slice(key.indexOf(':') + 1))
  return makeCause({
    kind: 'wrong-operator',
    graph: node,
    expected: listed(targets),
    found: node.op === 'call_function' ? node.target : node.op,
    sentence: `the pattern is not tried at ${node.name}: it starts at ${listed(targets)}, and ${node.name} is ${node.op === 'call_function' ? node.target : `a ${node.op}`}`,
  })
}

/** The reading of the node as the output it fits best; the first one where none fits. */
function bestAt(node: Node, outputs: readonly Node[], at: (output: Node) => Alignment): Alignment | null {
  let best: Alignment | null = null
  for (const output of outputs) {
    const found = at(output)
    if (!best || found.score > best.score) best = found
  }
  return best
}
