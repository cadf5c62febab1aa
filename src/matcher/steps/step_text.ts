/** Formats values and argument names for the text of steps. */
import { Node, type Arg } from '../../fx'
import { pyRepr } from '../py'

/** Maximum length of a value in a step, in characters. */
const MAX_LENGTH = 160

export const clipped = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text)
export const valueText = (value: Arg): string => plain(pyRepr(value))

/** Operators by name: `_C.silu_and_mul.default` for `<OpOverload(op='_C.silu_and_mul', overload='default')>`. */
export const plain = (text: string): string =>
  clipped(text.replace(/<OpOverload\(op='([\w.]+)', overload='(\w+)'\)>/g, '$1.$2'))
export const nameOf = (value: Arg): string | null => (value instanceof Node ? value.name : null)

/** The name of an argument in text: `argument 0`, `argument 1[2]`, `group_size`. */
export const argumentName = (path: string): string => (/^\d/.test(path) ? `argument ${path}` : path)

/** Capitalizes an argument name at the start of a sentence; keyword names keep their spelling. */
export const capitalized = (text: string): string =>
  / /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
