/** Compares plain data. */

/** @param ignored names of fields whose values may differ */
export function isEqual(a: unknown, b: unknown, ignored: ReadonlySet<string> = NONE): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [one, other] = [fieldsOf(a), fieldsOf(b)]
  return (
    one.length === other.length &&
    one.every(
      ([name, value]) => ignored.has(name) || (Object.hasOwn(b, name) && isEqual(value, fieldOf(b, name), ignored)),
    )
  )
}

const NONE: ReadonlySet<string> = new Set()

/** As in JSON, a field that is undefined is none. */
const fieldsOf = (value: object): [string, unknown][] => Object.entries(value).filter(([, v]) => v !== undefined)

const fieldOf = (value: object, name: string): unknown => (value as Record<string, unknown>)[name]
