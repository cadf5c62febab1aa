/** How steps are told: short names for both sides, one plain sentence each. */
import { Node, type Arg } from '../../fx'
import { pyRepr } from '../py'

/** Longest value a step carries, in characters. */
const LONGEST = 160

export const clipped = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)
export const valueText = (value: Arg): string => clipped(pyRepr(value))
export const nameOf = (value: Arg): string | null => (value instanceof Node ? value.name : null)

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`
}

/** `a, b and c`; long lists end in a number. */
export function listed(names: readonly string[], most = 4): string {
  if (names.length > most) return `${names.slice(0, most).join(', ')} and ${names.length - most} more`
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? 'none')
}

/** An argument's place in words: `argument 0`, `argument 1[2]`, `group_size`. */
export const place = (path: string): string => (/^\d/.test(path) ? `argument ${path}` : path)

export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
