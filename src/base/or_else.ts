/** The result of `make`, or `otherwise` if it throws an instance of one of the classes. */
export function orElse<T, U>(
  make: () => T,
  otherwise: U,
  ...thrown: (abstract new (...args: never[]) => object)[]
): T | U {
  try {
    return make()
  } catch (e) {
    if (thrown.some((type) => e instanceof type)) return otherwise
    throw e
  }
}
