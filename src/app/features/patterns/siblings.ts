/** Compares a registration with its class: differences to each neighbor, common parts, effect of each axis. */
import { memoizeByObject } from '../../../base/memoize'
import { diffGraphs, type Difference } from '../../../engine/pipeline/graph_diff'
import type { EntryReport, PassReport, Report, TreeNode } from '../../../engine/protocol'
import { passNamed } from '../../../engine/queries/report_index'
import { axesOfEntry } from '../../report/variant_label'
import { leavesOf } from '../../../engine/queries/report_text'

export interface Neighbor {
  /** The one axis in which the two differ. */
  axis: string
  entry: EntryReport
  /** Differences of the traced patterns, constants included; this registration's side comes first. */
  pattern: Difference[]
  /** Null if either has no replacement. */
  replacement: Difference[] | null
}

export type AxisEffect = 'both' | 'pattern' | 'replacement' | 'nothing' | 'unknown'

export interface AxisFacts {
  name: string
  /** Distinct values, in the order of the registrations. */
  values: string[]
  effect: AxisEffect
}

const siblingsOf = (pass: PassReport, entry: EntryReport): EntryReport[] =>
  pass.entries.filter((e) => e.title === entry.title)

/** The registration that differs from `entry` in this axis alone; the first of several. */
export function neighborAlong(pass: PassReport, entry: EntryReport, axis: string): Neighbor | null {
  const others = axesOfEntry(pass, entry).filter((a) => a !== axis)
  const other = siblingsOf(pass, entry).find(
    (e) => e.bindings[axis] !== entry.bindings[axis] && others.every((a) => e.bindings[a] === entry.bindings[a]),
  )
  return other ? compared(entry, other, axis) : null
}

/** One neighbor per axis, the innermost axis first. */
export const neighborsOf = (pass: PassReport, entry: EntryReport): Neighbor[] =>
  axesOfEntry(pass, entry)
    .toReversed()
    .flatMap((axis) => neighborAlong(pass, entry, axis) ?? [])

function compared(entry: EntryReport, other: EntryReport, axis: string): Neighbor {
  return {
    axis,
    entry: other,
    pattern: diffGraphs(entry.pattern, other.pattern),
    replacement: entry.replacement && other.replacement ? diffGraphs(entry.replacement, other.replacement) : null,
  }
}

/**
 * The other entries of its pass with the same initial pattern: with constants as wildcards, stage one cannot
 * distinguish them.
 */
export const sharingInitial = (pass: PassReport, entry: EntryReport): EntryReport[] =>
  pass.entries.filter((e) => e !== entry && e.text === entry.text)

/** Number of distinct initial patterns among the registrations of a class. */
export const initialPatterns = (pass: PassReport, title: string): number =>
  new Set(pass.entries.filter((e) => e.title === title).map((e) => e.text)).size

/** The axes of a class, outermost first, each with its effect. */
export const axisFacts = (pass: PassReport, title: string): AxisFacts[] => factsOfClasses(pass).get(title) ?? []

/** By class title. */
const factsOfClasses = memoizeByObject(
  (pass: PassReport) => new Map([...new Set(pass.entries.map((e) => e.title))].map((t) => [t, axisFactsOf(pass, t)])),
)

function axisFactsOf(pass: PassReport, title: string): AxisFacts[] {
  const members = pass.entries
    .filter((e) => e.title === title)
    .toSorted((a, b) => (a.order ?? a.index) - (b.order ?? b.index))
  const [first] = members
  if (!first || members.length < 2) return []
  return axesOfEntry(pass, first).map((name) => ({
    name,
    values: [...new Set(members.flatMap((e) => e.bindings[name] ?? []))],
    effect: effectOf(pass, members, name),
  }))
}

/** Maximum number of pairs compared per axis; further pairs of a large tree give the same result. */
const PAIRS = 24

function effectOf(pass: PassReport, members: readonly EntryReport[], axis: string): AxisEffect {
  const pairs: Neighbor[] = []
  for (const entry of members) {
    if (pairs.length === PAIRS) break
    const pair = neighborAlong(pass, entry, axis)
    if (pair) pairs.push(pair)
  }
  if (pairs.length === 0 || pairs.some((p) => p.replacement === null)) return 'unknown'
  const pattern = pairs.some((p) => p.pattern.length > 0)
  const replacement = pairs.some((p) => p.replacement!.length > 0)
  if (pattern) return replacement ? 'both' : 'pattern'
  return replacement ? 'replacement' : 'nothing'
}

/** A lint for an axis, in one sentence; null if the axis changes both sides or its effect is unknown. */
export function effectSentence({ name, effect }: AxisFacts): string | null {
  switch (effect) {
    case 'pattern':
      return `${name} changes the pattern but not the replacement: the replacement loses the distinction.`
    case 'replacement':
      return `${name} changes the replacement but not the pattern: the registration order decides which value is used.`
    case 'nothing':
      return `${name} changes neither the pattern nor the replacement.`
    default:
      return null
  }
}

/** A short description of this side of the first differences: `group_size=128`, `permute`. */
export function sideText(differences: readonly Difference[]): string {
  // Differing inputs follow from the other differences.
  const plain = differences.filter((d) => d.kind === 'node' || !/%/.test(`${d.left} ${d.right}`))
  const shown = [...new Set((plain.length > 0 ? plain : differences).map(sideWord))]
  return shown.slice(0, 2).join(', ') + (shown.length > 2 ? ` and ${shown.length - 2} more` : '')
}

function sideWord(d: Difference): string {
  if (d.kind === 'node') return d.side === 'left' ? d.target : `no ${d.target}`
  if (d.left === null) return `no ${d.name}`
  return /^argument /.test(d.name) ? `${d.left} in ${d.target}` : `${d.name}=${d.left}`
}

/**
 * The difference in the pattern between a branch or leaf of the tree and its neighbor; null if they are equal or
 * entirely different.
 */
export function separatorOf(report: Report, node: TreeNode): string | null {
  if (node.axis === undefined) return null
  const pass = passNamed(report, node.pass)
  const entry = pass?.entries.find((e) => e.index === leavesOf(node)[0]?.entry)
  const neighbor = pass && entry && neighborAlong(pass, entry, node.axis)
  const text = neighbor && sideText(neighbor.pattern)
  return text && text.replace('=', ' = ') !== node.label ? text : null
}
