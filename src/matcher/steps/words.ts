/** How steps are told: short names for both sides, one plain sentence each. */
import { Node, type Arg } from '../../fx'
import { pyRepr } from '../py'

/** Longest value a step carries, in characters. */
const LONGEST = 160

export const clipped = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)
export const valueText = (value: Arg): string => plain(pyRepr(value))

/** Operators by name: `_C.silu_and_mul.default` for `<OpOverload(op='_C.silu_and_mul', overload='default')>`. */
export const plain = (text: string): string =>
  clipped(text.replace(/<OpOverload\(op='([\w.]+)', overload='(\w+)'\)>/g, '$1.$2'))
export const nameOf = (value: Arg): string | null => (value instanceof Node ? value.name : null)

/** An argument's place in words: `argument 0`, `argument 1[2]`, `group_size`. */
export const place = (path: string): string => (/^\d/.test(path) ? `argument ${path}` : path)

/** A place at the head of a sentence; names of keyword arguments stay as they are written. */
export const sentence = (text: string): string => (/ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text)
