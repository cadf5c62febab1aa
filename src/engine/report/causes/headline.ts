/**
 * The headline if not everything matched: the closest cause with all patterns that share it, unless a failed file is more
 * informative. The page, `match`, `explain` and its JSON begin with it.
 */
import { count } from '../../../base/english'
import { memoizeByObject } from '../../../base/memoize'
import { message, plainText, type Message } from '../../../base/message'
import type { EntryReport, NearMiss, Report } from '../../protocol'
import { causeGroups, distanceOf, type CauseGroup, type Grouped } from './cause_groups'

/** A near miss this close belongs to the pattern that the reader is looking for, so a failed file becomes a note beside it. */
const CLOSE = 0.7

/** True if the first group is more informative than the exception of one among several files. */
export const leads = (group: CauseGroup<Grouped> | undefined): boolean =>
  group !== undefined && group.closest.times > 0 && distanceOf(group.closest) < CLOSE

/** The fields of a near miss that grouping reads. */
export const missFacts = (pass: string, { causes = [], ...m }: NearMiss, entry: EntryReport | undefined) => ({
  pass,
  entry: m.entry,
  ...nameOf(entry),
  anchor: m.anchors[0] ?? null,
  aligned: m.score ?? m.aligned.length,
  of: m.of ?? sizeOf(entry),
  times: m.count,
  causes,
})

/** The group of near misses that a report begins with; undefined if none has a cause. */
export const leadingGroup = memoizeByObject(
  ({ passes }: Pick<Report, 'passes'>) =>
    causeGroups(
      passes.flatMap((p) => p.nearMisses.filter((m) => !m.taken).map((m) => missFacts(p.name, m, p.entries[m.entry]))),
    )[0],
)

/** `4 patterns miss for one cause: empty is …`. */
export const sharedCause = (group: CauseGroup<Grouped>): Message =>
  group.patterns > 1 ? message`${group.patterns} patterns miss for one cause: ${group.cause.parts}` : group.cause.parts

/** `1 file raised`. */
export const raisedText = (files: number): string => `${count(files, 'file')} raised`

/** The leading cause, with the number of failed files beside it; null if no cause leads. */
export function headlineOf(group: CauseGroup<Grouped> | undefined, raised: number): string | null {
  if (!group || !leads(group)) return null
  return plainText(sharedCause(group)) + (raised > 0 ? `; ${raisedText(raised)}` : '')
}

/** The class of a pattern, with its values for the class's axes. */
export function nameOf(entry: EntryReport | undefined): Pick<Grouped, 'title' | 'variant'> {
  if (!entry) return { title: null }
  const { title, axes = [], bindings } = entry
  const variant = Object.fromEntries(axes.flatMap((a) => (bindings[a] === undefined ? [] : [[a, bindings[a]]])))
  return { title, ...(axes.length > 0 && { variant }) }
}

/** Number of a pattern's operators. */
export const sizeOf = (entry: EntryReport | undefined): number =>
  entry?.pattern.nodes.filter((n) => n.op !== 'placeholder' && n.op !== 'output').length ?? 0
