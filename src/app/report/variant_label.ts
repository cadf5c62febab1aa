/** Short label that distinguishes a registration from its siblings of the same title. */
import { axesOf } from '../../engine/report/axes'
import type { EntryReport, PassReport } from '../../engine/protocol'

/** Names of the bindings that distinguish an entry from others of the same title, outermost loop first. */
export const axesOfEntry = (pass: PassReport, entry: EntryReport): string[] =>
  entry.axes ?? axesOf(pass.entries.filter((e) => e.title === entry.title)).map((a) => a.name)

/** Non-boolean values, then the names of the booleans that are True: `kFp8Dynamic128Sym is_e8m0`. */
export function variantLabel(pass: PassReport, entry: EntryReport): string {
  if (pass.entries.filter((e) => e.title === entry.title).length < 2) return ''
  const set = axesOfEntry(pass, entry).filter((axis) => entry.bindings[axis] !== undefined)
  const isFlag = (axis: string): boolean => /^(True|False)$/.test(entry.bindings[axis]!)
  const values = set.filter((axis) => !isFlag(axis)).map((axis) => entry.bindings[axis]!)
  const flags = set.filter((axis) => entry.bindings[axis] === 'True')
  return [...values, ...flags].join(' ') || 'no flags'
}
