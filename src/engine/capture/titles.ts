/** Titles of recorded patterns. */
import type { CapturedEntry, CapturedFunction } from './records'

/** The function that the pattern was made from. */
export const functionOf = ({ functions: { search, handler } }: CapturedEntry): CapturedFunction | undefined =>
  search ?? handler

/** The class whose method a function is, or is created in; null for others. */
export function ownerOf(fn: CapturedFunction | undefined): string | null {
  const [owner = '', ...rest] = fn?.name.split('.') ?? []
  return rest.length > 0 && /^[A-Z]/.test(owner) ? owner : null
}

/** Title on the page, and in a frame that shows a recording: a class has one title. */
export function titleOf(entry: CapturedEntry): string {
  const fn = functionOf(entry)
  return ownerOf(fn) ?? fn?.name.split('.').at(-1) ?? entry.title ?? `pattern ${entry.id}`
}

/** Title where recordings are compared: distinguishes the patterns of one class. */
export function nameOf(entry: CapturedEntry): string {
  const parts = functionOf(entry)?.name.split('.')
  return parts?.findLast((part) => !part.startsWith('<')) ?? entry.title ?? `pattern ${entry.id}`
}
