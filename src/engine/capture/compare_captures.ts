/**
 * Compares two captures of a model: the matches that PyTorch replaced in only one of them, and the change of the graph or of the
 * pattern that decides.
 */
import { compareGraphs } from '../../explain/compare/changes'
import { classesOf, comparedChange } from '../compare/classes'
import { compareRuns, type CompareContext } from '../compare/compare_runs'
import type { FoundMatch } from '../compare/matches'
import type { CompareReport } from '../compare/types'
import { counterpartsIn, entriesOf, recordedSide, runOf, sideOf, type CapturedSide, type Side } from './captured_side'
import { graphOfJson } from './graphs'
import { rerunOn } from './rerun'
import { nameOf } from './titles'
import type { CapturedAttempt, CapturedEntry } from './records'

/** Pairs the patterns of two captures: equal patterns first, then patterns of functions with the same name. */
interface PatternPairs {
  /** The old pattern and the new one, in the order of the old. */
  both: readonly (readonly [old: CapturedEntry, now: CapturedEntry])[]
  removed: readonly CapturedEntry[]
  added: readonly CapturedEntry[]
}

/** Fields that must be equal, from the most specific to the least. */
const KEYS: readonly ((e: CapturedEntry) => string)[] = [
  (e) => JSON.stringify([qualifiedName(e), e.title, e.bindings, e.text]),
  (e) => JSON.stringify([qualifiedName(e), e.title, e.bindings]),
  (e) => JSON.stringify([e.kind, e.text]),
  (e) => JSON.stringify([qualifiedName(e), e.title]),
]

const qualifiedName = ({ functions }: CapturedEntry): string => (functions.search ?? functions.handler)?.name ?? ''

function pairPatterns(old: readonly CapturedEntry[], now: readonly CapturedEntry[]): PatternPairs {
  const left = new Set(now)
  const found = new Map<CapturedEntry, CapturedEntry>()
  for (const key of KEYS)
    for (const entry of old) {
      if (found.has(entry)) continue
      const same = [...left].find((e) => key(e) === key(entry))
      if (!same) continue
      found.set(entry, same)
      left.delete(same)
    }
  return {
    both: old.flatMap((e) => (found.has(e) ? [[e, found.get(e)!] as const] : [])),
    removed: old.filter((e) => !found.has(e)),
    added: [...left],
  }
}

export function compareCaptures(older: CapturedSide, newer: CapturedSide): CompareReport {
  const pairs = pairPatterns(entriesOf(older), entriesOf(newer))
  const old = sideOf(older, (id) => id)
  const oldIds = new Map(pairs.both.map(([a, b]) => [b.id, a.id]))
  const now = sideOf(newer, (id) => oldIds.get(id) ?? ONLY_NEW + id)
  const context = contextOf(old, now, pairs)
  const report = compareRuns(recordedSide(old), recordedSide(now), context)
  return { ...report, patterns: patternChanges(pairs) }
}

/** Ids above those of the old capture. */
const ONLY_NEW = 1 << 30

function contextOf(old: Side, now: Side, pairs: PatternPairs): CompareContext {
  const graphs = compareGraphs(old.graph, now.graph)
  const titles = new Map<number, string>()
  for (const side of [now, old]) for (const e of entriesOf(side)) titles.set(side.shared(e.id), nameOf(e))
  const counterpart = (side: Side, node: string): string[] =>
    counterpartsIn(side.graph, side === old ? graphs.toNew : graphs.toOld, node)
  return {
    titleOf: (_pass, entry) => titles.get(entry) ?? `pattern ${entry}`,
    rerun: (graph, direction) => {
      const side = direction === 'lost' ? old : now
      const { capture, applications } = side
      return runOf(
        side,
        rerunOn(capture, applications, graph, (node) => counterpart(side, node)),
      )
    },
    causeAt: (_pass, entry, node) => reasonAt(now, entry, node),
    otherPatterns: (m, direction) => patternSentence(m, direction, { old, now, pairs, counterpart }),
  }
}

const attemptAt = ({ applications, shared }: Side, entry: number, node: string): CapturedAttempt | undefined =>
  applications.flatMap((a) => a.attempts).find((a) => shared(a.entry) === entry && a.node === node)

/** PyTorch's reason at a node of the new capture. */
function reasonAt(side: Side, entry: number, node: string): string | null {
  const attempt = attemptAt(side, entry, node)
  const reason = attempt && (attempt.reason ?? attempt.second?.reason ?? attempt.raised)
  return reason ? `PyTorch at ${node} in ${side.name}: ${reason.slice(0, 300)}` : null
}

/** Why only one capture has a match, although the other capture's graph allows it. */
function patternSentence(
  m: FoundMatch,
  direction: 'lost' | 'won',
  {
    old,
    now,
    pairs,
    counterpart,
  }: {
    old: Side
    now: Side
    pairs: PatternPairs
    counterpart(side: Side, node: string): string[]
  },
): string {
  const lost = direction === 'lost'
  const [has, lacks] = lost ? [old, now] : [now, old]
  if (m.entry >= ONLY_NEW) return `Only ${now.name} registers this pattern.`
  const both = pairs.both.find(([e]) => e.id === m.entry)
  if (!both) return `${now.name} does not register this pattern.`
  const changed = changesOf(...both)
  if (changed)
    return lost
      ? `The pattern changed: ${changed}. With the old pattern, the match is back.`
      : `The pattern changed: ${changed}. With the new pattern, the match appears in the old graph.`
  const there = counterpart(has, m.node).flatMap((node) => attemptAt(lacks, m.entry, node) ?? [])[0]
  if (there?.dropped?.why === 'extra-check') {
    const check = lacks.capture.entries.get(there.entry)?.functions.extraCheck
    const place = check ? ` (${check.name}${check.file ? `, ${check.file}:${check.line}` : ''})` : ''
    return `extra_check${place} returned False at ${there.node} in ${lacks.name}, and True in ${has.name}.`
  }
  const reason = there && (there.reason ?? there.second?.reason ?? there.raised)
  if (reason) return `PyTorch at ${there.node} in ${lacks.name}: ${reason.slice(0, 300)}`
  return there?.applied
    ? `PyTorch replaced other nodes at ${there.node} in ${lacks.name}.`
    : `PyTorch did not try this pattern there in ${lacks.name}: another match took the nodes, or the pass was not applied.`
}

/** The changes of a pattern; null if there are none. */
function changesOf(old: CapturedEntry, now: CapturedEntry): string | null {
  if (old.text === now.text && old.kind === now.kind) return null
  if (!old.search || !now.search) return 'its printed form differs'
  const { changes } = compareGraphs(graphOfJson(old.search), graphOfJson(now.search))
  const sentences = classesOf(changes).map((c) => comparedChange(c).sentence.replace(/\.$/, ''))
  return sentences.length > 0 ? sentences.join('; ') : 'its printed form differs'
}

const patternChanges = ({ both, removed, added }: PatternPairs): string[] => [
  ...removed.map((e) => `${nameOf(e)} is not registered any more.`),
  ...added.map((e) => `${nameOf(e)} is new.`),
  ...both.flatMap(([a, b]) => {
    const changed = changesOf(a, b)
    return changed === null ? [] : [`${nameOf(b)} changed: ${changed}.`]
  }),
]
