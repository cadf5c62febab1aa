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

/** Remembers the results of recent texts; a promise that rejects is forgotten. @param fn pure @param most number of results */
export function memoizeByText<R>(fn: (text: string) => R, most: number): (text: string) => R {
  const results = new Map<string, R>()
  return (text) => {
    if (!results.has(text)) {
      if (results.size >= most) results.clear()
      const made = fn(text)
      results.set(text, made)
      if (made instanceof Promise) made.catch(() => results.delete(text))
    }
    return results.get(text)!
  }
}

/** A value created on first use, and again after it was forgotten. A promise that rejects is forgotten. */
export class Renewable<A extends readonly unknown[], R> {
  private made: { readonly value: R } | null = null

  constructor(private readonly make: (...args: A) => R) {}

  /** @param args for `make`; the arguments of later calls are ignored */
  get(...args: A): R {
    if (this.made) return this.made.value
    const made = (this.made = { value: this.make(...args) })
    if (made.value instanceof Promise) made.value.catch(() => this.made === made && this.forget())
    return made.value
  }

  /** The value if it exists. */
  held(): R | undefined {
    return this.made?.value
  }

  forget(): void {
    this.made = null
  }
}

/** Creates a value on first use, for things that a page has once: a worker, a fetched module. */
export function once<R>(make: () => R): () => R {
  let made: { value: R } | null = null
  return () => (made ??= { value: make() }).value
}
