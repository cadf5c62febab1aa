/** Fields of plain data that are computed when they are first read. */

/** Defines an enumerable field: spread, JSON and structured clone read it like any other. Returns `object`. */
export function lazyField<T extends object, K extends string, V>(
  object: T,
  key: K,
  make: () => V,
): T & { readonly [P in K]: V } {
  // `make`, and everything it references, is dropped after it ran.
  let field: { make: () => V } | { value: V } = { make }
  const get = (): V => {
    if ('make' in field) field = { value: field.make() }
    return field.value
  }
  return Object.defineProperty(object, key, { get, enumerable: true, configurable: true }) as T & { [P in K]: V }
}

/** A copy with other fields. Unlike a spread, it leaves lazy fields uncomputed; both objects compute them once. */
export function withFields<T extends object>(object: T, fields: Partial<T>): T {
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(object), ...Object.getOwnPropertyDescriptors(fields) },
  ) as T
}
