/**
 * Groups diagnoses by a common cause: all patterns and places that miss because of it, the closest pattern first. Registrations of
 * one class at one place form one entry, even if their constants differ.
 */
import { layerlessText, type Message } from '../../../base/message'
import type { Cause } from '../../../explain/causes'
import { isNative } from '../../../explain/reasons/native'

/** The fields of a cause that grouping reads; the page takes them from a report, the command line from a diagnosis. */
export interface GroupedCause extends Pick<Cause, 'kind' | 'argument' | 'expected' | 'found'> {
  parts: Message
  reason: { kind: string } | null
  fixes?: readonly { edits: readonly unknown[] }[]
}

/** A near miss; with `times` 0, a cause without a near miss. */
export interface Grouped {
  /** Null if no pass ran. */
  pass: string | null
  entry: number | null
  /** Class or function that registered the pattern; null without a pattern. */
  title: string | null
  /** The bindings that distinguish it from others of its class: `{"group_size": "128"}`; absent if it is the only one. */
  variant?: Record<string, string>
  /** The first anchor. */
  anchor: string | null
  /** Number of pattern nodes that align there, and their total. */
  aligned: number
  of: number
  /** Number of anchors with the same causes; 0 for a diagnosis without an anchor. */
  times: number
  /** The most likely cause first. */
  causes: readonly GroupedCause[]
}

export interface CauseGroup<D extends Grouped> {
  /** The first cause of the closest pattern. All others have it too, or are variants of a pattern that has it. */
  cause: D['causes'][number]
  closest: D
  /** Closest first; a pattern that misses in several ways is in several groups. */
  members: D[]
  /** Classes with their number of patterns, closest first. */
  classes: { title: string; patterns: number }[]
  /** Number of distinct patterns. */
  patterns: number
}

/** Groups in reading order: causes that prevent all matches, then the closest misses. */
export function causeGroups<D extends Grouped>(diagnoses: readonly D[]): CauseGroup<D>[] {
  const withCauses = diagnoses.filter((d) => d.causes.length > 0)
  const left = new Set([
    ...withCauses.filter((d) => isWhole(d) && PREVENTS.has(d.causes[0]!.kind)),
    ...withCauses.filter((d) => !isWhole(d)).toSorted((a, b) => distanceOf(a) - distanceOf(b)),
    ...withCauses.filter((d) => isWhole(d)),
  ])
  const groups: CauseGroup<D>[] = []
  for (const closest of left) {
    const cause = closest.causes[0]!
    const key = causeKey(cause)
    const members = [...left].filter(
      (d) =>
        d === closest ||
        ((isWhole(d) === isWhole(closest) || PREVENTS.has(cause.kind)) && d.causes.some((c) => causeKey(c) === key)),
    )
    // Variants of one class differ only in constants, so variants at the same place are one finding.
    const places = new Set(members.map((d) => `${d.title}\u0000${d.anchor}`))
    if (!isWhole(closest) && closest.title !== null)
      members.push(
        ...[...left].filter(
          (d) => !members.includes(d) && !isWhole(d) && !isTaken(d) && places.has(`${d.title}\u0000${d.anchor}`),
        ),
      )
    members.forEach((d) => left.delete(d))
    groups.push({
      cause: withEdit(cause, members),
      closest,
      members,
      classes: classesOf(members),
      patterns: patternsIn(members).size,
    })
  }
  return groups
}

/** The cause with another variant's fixes, if those edit the text and its own do not. */
function withEdit<D extends Grouped>(cause: D['causes'][number], members: readonly D[]): D['causes'][number] {
  const key = causeKey(cause)
  const edited = ({ fixes = [] }: GroupedCause): boolean => fixes.some((f) => f.edits.length > 0)
  if (edited(cause) || !cause.fixes?.length) return cause
  const same = members.filter((d) => d.title === members[0]!.title).flatMap((d) => d.causes)
  const other = same.find((c) => causeKey(c) === key && edited(c))
  return other ? { ...cause, fixes: other.fixes } : cause
}

/** Causes of a pass or of its registration that precede every near miss. */
const PREVENTS: ReadonlySet<Cause['kind']> = new Set([
  'not-registered',
  'graph-level',
  'duplicate-pattern',
  'structure',
  'replacement-error',
  'retrace-error',
])

const isWhole = (d: Grouped): boolean => d.times === 0
const isTaken = (d: Grouped): boolean => d.causes[0]?.kind === 'taken'

/**
 * Lower is closer: the nodes and causes that separate the pattern from a match, relative to the pattern's size. A pattern with a
 * different custom operator is a different fusion, however much of its surroundings aligns. Nodes that another match took come
 * last.
 */
export function distanceOf(d: Grouped): number {
  if (isTaken(d)) return 3
  const refused = DROPPED.has(d.causes[0]?.kind ?? 'other') ? HALF_A_CAUSE : 0
  const distance = (Math.max(0, d.of - d.aligned) + d.causes.length - refused) / (d.of + 1)
  return distance + (d.causes.some(isOtherFusion) ? 1 : 0)
}

/** Causes of a complete but dropped match: closer than a variant of the pattern with another constant. */
const DROPPED: ReadonlySet<Cause['kind']> = new Set(['extra-check', 'mutation-barrier', 'stream-barrier'])
const HALF_A_CAUSE = 0.5

/** True if graph and pattern call custom operators with dissimilar names. */
function isOtherFusion({ kind, expected, found }: GroupedCause): boolean {
  if (kind !== 'wrong-operator' || !expected || !found || !isCustom(expected) || !isCustom(found)) return false
  const [a, b] = [nameOf(expected), nameOf(found)]
  return !a.includes(b) && !b.includes(a)
}

const isCustom = (operator: string): boolean => /^\w+\.\w+/.test(operator) && !isNative(operator)

/** The part `rms_norm` of `_C.rms_norm.default`. */
const nameOf = (operator: string): string => operator.split('.')[1] ?? operator

/** A key that is equal for one finding at different places and in different variants: without nodes, numbers and constants. */
function causeKey({ kind, reason, parts, argument, expected, found }: GroupedCause): string {
  if (kind === 'constant' || kind === 'kwarg-missing' || kind === 'kwarg-extra') return [kind, argument].join('\u0000')
  if (kind === 'factory' || kind === 'wrong-operator' || kind === 'wrong-overload' || kind === 'functionalization')
    return [kind, expected, found].join('\u0000')
  return [kind, reason?.kind ?? '', withoutNodes(parts)].join('\u0000')
}

/** The message's words without its nodes, and its operators. */
const withoutNodes = (parts: Message): string =>
  layerlessText(parts.map((p) => (typeof p !== 'string' && ('node' in p || 'source' in p) ? '' : p))).replace(
    /\b\w*?(\d+)\b/g,
    '',
  )

function classesOf(members: readonly Grouped[]): CauseGroup<Grouped>['classes'] {
  const classes = new Map<string, Set<string>>()
  for (const d of members) {
    const title = d.title ?? d.pass ?? 'registration'
    classes.set(title, (classes.get(title) ?? new Set()).add(patternKey(d)))
  }
  return [...classes].map(([title, patterns]) => ({ title, patterns: patterns.size }))
}

const patternKey = (d: Grouped): string => `${d.pass}\u0000${d.entry}`
const patternsIn = (members: readonly Grouped[]): Set<string> => new Set(members.map(patternKey))
