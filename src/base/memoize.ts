/** Memoized selectors: pure functions that remember results, so that equal arguments return the same object. */

/** Remembers the result of the last call. @param fn pure; its arguments are compared by identity */
export function memoizeLast<A extends readonly unknown[], R>(fn: (...args: A) => R): (...args: A) => R {
  let last: { args: A; value: R } | null = null
  return (...args) => {
    if (!last || last.args.length !== args.length || last.args.some((arg, i) => !Object.is(arg, args[i])))
      last = { args, value: fn(...args) }
    return last.value
  }
}

/** Remembers one result per object, as long as the object lives. @param fn pure */
export function memoizeByObject<K extends object, R>(fn: (key: K) => R): (key: K) => R {
  const results = new WeakMap<K, { value: R }>()
  return (key) => {
    let result = results.get(key)
    if (!result) results.set(key, (result = { value: fn(key) }))
    return result.value
  }
}

/** Makes a value at its first use, for what a page has once: a worker, a module that is fetched. */
export function once<R>(make: () => R): () => R {
  let made: { value: R } | null = null
  return () => (made ??= { value: make() }).value
}
