/** Compares a registration with its class: differences to each neighbor, common parts, effect of each axis. */
import { memoizeByObject } from '../../../base/memoize'
import { diffGraphs, type Difference } from '../../../engine/pipeline/graph_diff'
import type { EntryReport, PassReport, Report, TreeNode } from '../../../engine/protocol'
import { passNamed } from '../../session/report_index'
import { axesOfEntry } from './variant_label'
import { leavesOf } from '../../session/report_text'

export interface Neighbour {
  /** The one axis in which the two differ. */
  axis: string
  entry: EntryReport
  /** Of the patterns as traced, constants included; the first is this registration's side. */
  pattern: Difference[]
  /** Null where one of the two has no replacement to compare. */
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
export function neighbourAlong(pass: PassReport, entry: EntryReport, axis: string): Neighbour | null {
  const others = axesOfEntry(pass, entry).filter((a) => a !== axis)
  const other = siblingsOf(pass, entry).find(
    (e) => e.bindings[axis] !== entry.bindings[axis] && others.every((a) => e.bindings[a] === entry.bindings[a]),
  )
  return other ? compared(entry, other, axis) : null
}

/** One neighbour an axis, the innermost axis first. */
export const neighboursOf = (pass: PassReport, entry: EntryReport): Neighbour[] =>
  axesOfEntry(pass, entry)
    .toReversed()
    .flatMap((axis) => neighbourAlong(pass, entry, axis) ?? [])

function compared(entry: EntryReport, other: EntryReport, axis: string): Neighbour {
  return {
    axis,
    entry: other,
    pattern: diffGraphs(entry.pattern, other.pattern),
    replacement: entry.replacement && other.replacement ? diffGraphs(entry.replacement, other.replacement) : null,
  }
}

/** The others of its pass whose pattern is the same as long as constants are wildcards: the initial stage cannot tell them. */
export const sharingInitial = (pass: PassReport, entry: EntryReport): EntryReport[] =>
  pass.entries.filter((e) => e !== entry && e.text === entry.text)

/** How many patterns the initial stage tells apart among the registrations of a class. */
export const initialPatterns = (pass: PassReport, title: string): number =>
  new Set(pass.entries.filter((e) => e.title === title).map((e) => e.text)).size

/** The axes of a class, outermost first, with what each changes. */
export const axisFacts = (pass: PassReport, title: string): AxisFacts[] => factsOfClasses(pass).get(title) ?? []

/** By title of a class. */
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

/** Pairs looked at for one axis; a tree of hundreds of leaves has as many, and they say the same. */
const PAIRS = 24

function effectOf(pass: PassReport, members: readonly EntryReport[], axis: string): AxisEffect {
  const pairs: Neighbour[] = []
  for (const entry of members) {
    if (pairs.length === PAIRS) break
    const pair = neighbourAlong(pass, entry, axis)
    if (pair) pairs.push(pair)
  }
  if (pairs.length === 0 || pairs.some((p) => p.replacement === null)) return 'unknown'
  const pattern = pairs.some((p) => p.pattern.length > 0)
  const replacement = pairs.some((p) => p.replacement!.length > 0)
  if (pattern) return replacement ? 'both' : 'pattern'
  return replacement ? 'replacement' : 'nothing'
}

/** What is odd about an axis, in a sentence; null for one that changes both sides, or is not known. */
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

/** This side of the first differences, in a few words: `group_size=128`, `permute`. */
export function sideText(differences: readonly Difference[]): string {
  // That a node reads another one follows from what stands there.
  const plain = differences.filter((d) => d.kind === 'node' || !/%/.test(`${d.left} ${d.right}`))
  const shown = [...new Set((plain.length > 0 ? plain : differences).map(sideWord))]
  return shown.slice(0, 2).join(', ') + (shown.length > 2 ? ` and ${shown.length - 2} more` : '')
}

function sideWord(d: Difference): string {
  if (d.kind === 'node') return d.side === 'left' ? d.target : `no ${d.target}`
  if (d.left === null) return `no ${d.name}`
  return /^argument /.test(d.name) ? `${d.left} in ${d.target}` : `${d.name}=${d.left}`
}

/** What of its pattern separates a branch or a leaf of the tree from the one beside it; null where nothing does, or all. */
export function separatorOf(report: Report, node: TreeNode): string | null {
  if (node.axis === undefined) return null
  const pass = passNamed(report, node.pass)
  const entry = pass?.entries.find((e) => e.index === leavesOf(node)[0]?.entry)
  const neighbour = pass && entry && neighbourAlong(pass, entry, node.axis)
  const text = neighbour && sideText(neighbour.pattern)
  return text && text.replace('=', ' = ') !== node.label ? text : null
}
