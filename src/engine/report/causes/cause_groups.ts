/**
 * Groups diagnoses by what they have in common: one cause with all patterns and places that miss for it, the closest
 * pattern first. Registrations of one class at one place are one entry, whatever constants they differ in.
 */
import { layerlessText, type Message } from '../../../base/message'
import type { Cause } from '../../../explain/causes'
import { isNative } from '../../../explain/reasons/native'

/** What grouping reads of a cause; the page has it of a report, the command line of a diagnosis. */
export interface GroupedCause extends Pick<Cause, 'kind' | 'argument' | 'expected' | 'found'> {
  parts: Message
  reason: { kind: string } | null
  fixes?: readonly { edits: readonly unknown[] }[]
}

/** A near miss, or with `times` 0 a cause without one. */
export interface Grouped {
  /** Null if no pass ran. */
  pass: string | null
  entry: number | null
  /** Class or function that registered the pattern; null without a pattern. */
  title: string | null
  /** What distinguishes it from others of its class: `{"group_size": "128"}`; absent if it is the only one. */
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
  /** The first cause of the closest pattern; all others have it too, or are variants of one that has it. */
  cause: D['causes'][number]
  closest: D
  /** Closest first; a pattern that misses in several ways is in several groups. */
  members: D[]
  /** Classes with their number of patterns, closest first. */
  classes: { title: string; patterns: number }[]
  /** Number of distinct patterns. */
  patterns: number
}

/** Groups in the order in which they are worth reading: what prevents all matches, then the closest misses. */
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
    // Variants of one class differ in constants alone, so those at the same place are the same finding.
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

/** The cause with the fixes of another variant where those edit the text and its own do not. */
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
 * Lower is closer: nodes and causes between the pattern and a match, by the pattern's size. A pattern of another custom
 * operator is another fusion, however much of what surrounds it aligns. Nodes that another match took are last.
 */
export function distanceOf(d: Grouped): number {
  if (isTaken(d)) return 3
  const refused = DROPPED.has(d.causes[0]?.kind ?? 'other') ? HALF_A_CAUSE : 0
  const distance = (Math.max(0, d.of - d.aligned) + d.causes.length - refused) / (d.of + 1)
  return distance + (d.causes.some(isOtherFusion) ? 1 : 0)
}

/** Causes of a match that is complete and dropped: closer than a variant of the pattern with another constant. */
const DROPPED: ReadonlySet<Cause['kind']> = new Set(['extra-check', 'mutation-barrier', 'stream-barrier'])
const HALF_A_CAUSE = 0.5

/** True where graph and pattern call custom operators whose names have little in common. */
function isOtherFusion({ kind, expected, found }: GroupedCause): boolean {
  if (kind !== 'wrong-operator' || !expected || !found || !isCustom(expected) || !isCustom(found)) return false
  const [a, b] = [nameOf(expected), nameOf(found)]
  return !a.includes(b) && !b.includes(a)
}

const isCustom = (operator: string): boolean => /^\w+\.\w+/.test(operator) && !isNative(operator)

/** `rms_norm` of `_C.rms_norm.default`. */
const nameOf = (operator: string): string => operator.split('.')[1] ?? operator

/** Equal for one finding at different places and in different variants: without nodes, numbers and constants. */
function causeKey({ kind, reason, parts, argument, expected, found }: GroupedCause): string {
  if (kind === 'constant' || kind === 'kwarg-missing' || kind === 'kwarg-extra') return [kind, argument].join('\u0000')
  if (kind === 'factory' || kind === 'wrong-operator' || kind === 'wrong-overload' || kind === 'functionalization')
    return [kind, expected, found].join('\u0000')
  return [kind, reason?.kind ?? '', withoutNodes(parts)].join('\u0000')
}

/** The message's own words and operators. */
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
