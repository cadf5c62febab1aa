/** Finds the causes that remain after a change, and the patterns that it affects. */
import { printGraph } from '../../fx'
import { causesKey, type Cause } from '../causes'
import { explainPair, explainPass, type PassToExplain } from '../explain'
import type { NearMissFold } from '../near_misses'
import type { FixRun } from './trials'

/** Cause.expected for a pattern whose outputs share no value. */
const NEEDS_SHARED = 'outputs that share a value'

/** Causes in the order of fixing: first the one that blocks all other fixes. */
export function inOrder(causes: readonly Cause[]): { c: number; cause: Cause }[] {
  const never = ({ cause }: { cause: Cause }): number => (cause.expected === NEEDS_SHARED ? 0 : 1)
  return causes.map((cause, c) => ({ c, cause })).sort((a, b) => never(a) - never(b) || a.c - b.c)
}

/** Number of other entries, in all passes, whose traced pattern a change affects. */
export function changedBeside(before: FixRun, after: FixRun, key: string): number {
  const texts = (run: FixRun): Map<string, string> =>
    new Map(
      run.passes.flatMap((p) =>
        p.toExplain.entries.flatMap((e): [string, string][] =>
          e.searchGraph ? [[p.keyOf(e.index), printGraph(e.searchGraph)]] : [],
        ),
      ),
    )
  const [old, now] = [texts(before), texts(after)]
  return [...now].filter(([k, text]) => k !== key && old.has(k) && old.get(k) !== text).length
}

export const keyOf = (c: Cause): string => causesKey([c])
export const structural = (m: NearMissFold): number => (m.causes ?? []).length

/** Maximum size of a graph, in nodes, for finding the anchor nearest to a changed pattern. */
const MAX_RESCANNED_NODES = 300

/** Near misses of one entry: at the anchor, or else at the nearest anchor in the graph. */
export function* missesAt(pass: PassToExplain, entry: number, anchors: readonly string[]): Generator<NearMissFold> {
  const pair = explainPair(pass, entry, anchors[0] ?? '')
  if (pair) yield pair
  if (pass.graph.size > MAX_RESCANNED_NODES) return
  const one = <T extends { entry: number }>(items: readonly T[]): T[] =>
    items.filter((i) => i.entry === entry).map((i) => ({ ...i, entry: 0 }))
  const { nearMisses, causes } = explainPass({
    ...pass,
    entries: [{ ...pass.entries[entry]!, index: 0 }],
    attempts: one(pass.attempts),
    matches: one(pass.matches),
    specific: (_, captured) => pass.specific(entry, captured),
  })
  const wanted = new Set(anchors)
  const miss = nearMisses.find((m) => m.anchors.some((a) => wanted.has(a))) ?? nearMisses[0]
  if (miss) yield { ...miss, entry, causes: [...(miss.causes ?? []), ...causes] }
}
