/** Aligns a pattern at the anchors that no attempt covers, nearest first, and folds equal results. */
import { type Node, isGetitem, operatorOf } from '../../fx'
import type { EntryView } from '../../matcher/registry'
import type { Alignment } from './alignment'
import { MAX_ANCHORS } from './anchors'
import { causesKey } from '../causes'
import { withAlignedMessage } from '../folds'
import type { AlignablePattern, PassIndex } from '../pass_index'
import { NO_MESSAGE, type NearMissFold } from '../near_misses'
import type { Pace } from '../pace'
import { furthestAttempt, matcherCauses } from '../reasons/first_mismatch'
import { isNative } from '../reasons/native'
import type { Retracing } from '../reasons/retrace'

/** Returns near misses at anchors that no attempt covers. */
export function* aligned(
  entry: EntryView,
  folds: readonly NearMissFold[],
  fired: boolean,
  { facts, retracing, pace }: { facts: PassIndex; retracing: Retracing; pace: Pace },
): Generator<void, NearMissFold[]> {
  const known = facts.alignableOf(entry.index)
  if (!known) return fired || folds.some((f) => f.entry === entry.index) ? [] : furthestAttempt(entry, facts)
  const mine = folds.filter((f) => f.entry === entry.index)
  // Every near miss of this pattern was replaced by another match, so there is nothing left to find.
  if (mine.length > 0 && mine.every((f) => f.taken)) return []
  const covered = new Set(mine.flatMap((f) => f.anchors))
  let found = yield* nearAnchors(known, { entry: entry.index, covered, fired, facts, pace })
  if (found.length === 0 && !fired && covered.size === 0) found = bestOf(known, facts)
  found.sort((a, b) => b.value - a.value || a.anchor.sortKey - b.anchor.sortKey)
  const best = found[0]?.value ?? 0
  const read: { place: OutputAnchor; raw: Alignment }[] = []
  for (const place of found) {
    if (place.value < best - 2 && !fired) continue
    if (pace.due()) yield
    read.push({ place, raw: known.aligner.align(place.output, place.anchor) })
  }
  // An output may fit in many places: prefer the anchor at which the other outputs fit too.
  if (known.pattern.outputs.length > 1)
    read.sort((a, b) => b.raw.score - a.raw.score || a.raw.causes.length - b.raw.causes.length)
  const claimed = found.length > 0 ? claimedBy(entry.index, covered, facts) : new Set<Node>()
  const out = new Map<string, NearMissFold>()
  for (const { place, raw } of read) {
    const { output, anchor } = place
    if (pace.due()) yield
    // For a pattern that fires elsewhere, ignore an anchor where more differs than aligns.
    if (fired && (raw.causes.length === 0 || raw.causes.length >= raw.score)) continue
    const taken = [...raw.pairs.values()].filter((g) => facts.takenBy.has(g.name)).length
    if (taken > raw.pairs.size / 2) continue
    // Drop an alignment whose nodes a better alignment already covers.
    if ([...raw.pairs.values()].filter((g) => claimed.has(g)).length >= raw.pairs.size / 2) continue
    raw.pairs.forEach((g) => claimed.add(g))
    const key = causesKey(raw.causes)
    const fold = out.get(key)
    if (fold) {
      fold.count++
      fold.anchors.push(anchor.name)
      continue
    }
    const refined = retracing.refined(entry.index, known, output, raw)
    const full = refined.causes.length > 0 ? refined : { ...refined, causes: matcherCauses(entry, anchor, facts) }
    if (full.causes.length === 0) continue
    out.set(key, {
      entry: entry.index,
      phase: 'initial',
      count: 1,
      anchors: [anchor.name],
      mismatch: null,
      reason: '',
      aligned: [...full.pairs.values()].map((g) => g.name),
      taken: false,
      ...NO_MESSAGE,
      score: full.score,
      of: full.of,
      causes: full.causes,
    })
  }
  return [...out.values()].map(withAlignedMessage)
}

/** Minimum size of an output's computation for far candidates when the pattern fires elsewhere. */
const MIN_FAR_SIZE = 4

interface AnchorSearch {
  entry: number
  /** Anchors that attempts cover. */
  covered: ReadonlySet<string>
  /** True if the pattern matches elsewhere. */
  fired: boolean
  facts: PassIndex
  pace: Pace
}

/** Finds nodes at which a large part of an output's computation aligns. */
function* nearAnchors(
  { pattern, aligner }: AlignablePattern,
  { entry, covered, fired, facts, pace }: AnchorSearch,
): Generator<void, OutputAnchor[]> {
  const found: OutputAnchor[] = []
  const share = fired ? 0.6 : 0.5
  // If attempts reached the first output, its near miss reports the other outputs.
  const outputs = covered.size > 0 ? pattern.outputs.slice(0, 1) : pattern.outputs
  for (const far of [false, true])
    for (const output of outputs) {
      if (found.length > 0) return found
      const size = pattern.sizeOf(output)
      // A small pattern that fires elsewhere and ends in a different operator here is irrelevant.
      if (far && fired && size < MIN_FAR_SIZE) continue
      if (aligner.placesOf(output, far).length >= MAX_ANCHORS) facts.capped.add(entry)
      for (const anchor of aligner.placesOf(output, far)) {
        if (pace.due()) yield
        if (facts.takenBy.has(anchor.name) || covered.has(anchor.name)) continue
        const value = aligner.value(output, anchor)
        if (value > 0.3 && value / size >= share) found.push({ output, anchor, value, size })
      }
    }
  return found
}

/** Nodes that the attempts at these anchors reached. */
function claimedBy(entry: number, covered: ReadonlySet<string>, facts: PassIndex): Set<Node> {
  const claimed = new Set<Node>()
  for (const a of facts.pass.attempts)
    if (a.entry === entry && covered.has(a.node))
      for (const n of a.nodes ?? a.reached ?? []) {
        const node = facts.index.byName.get(n)
        if (node) claimed.add(node)
      }
  return claimed
}

/** Minimum share of an output's computation for a near miss; lower if a custom operator agrees, because these are rare. */
const MIN_SHARE = 0.25
const MIN_CUSTOM_SHARE = 0.1

/** True if both are computed by the same operator, and it belongs to neither PyTorch nor Python. */
function callsOneCustomOperator(p: Node, g: Node): boolean {
  const producer = (n: Node): string => operatorOf(isGetitem(n) ? (n.inputs()[0] ?? n) : n)
  return producer(p) === producer(g) && !isNative(producer(p))
}

/** For a pattern without near misses: its best anchor, if it contains a sufficient part of an output. */
function bestOf({ pattern, aligner }: AlignablePattern, facts: PassIndex): OutputAnchor[] {
  let best: (OutputAnchor & { share: number }) | null = null
  for (const output of pattern.outputs)
    for (const anchor of aligner.placesOf(output, true)) {
      if (facts.takenBy.has(anchor.name)) continue
      const value = aligner.value(output, anchor)
      const size = pattern.sizeOf(output)
      const share = value / size
      const least = callsOneCustomOperator(output, anchor) ? MIN_CUSTOM_SHARE : MIN_SHARE
      if (value >= 0.4 && share > Math.max(best?.share ?? 0, least)) best = { output, anchor, value, size, share }
    }
  return best ? [best] : []
}

interface OutputAnchor {
  output: Node
  anchor: Node
  value: number
  /** Number of pattern nodes in the output's computation. */
  size: number
}
