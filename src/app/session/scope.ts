/**
 * The only place for state that no store shows. A module declares what it keeps, and the page, or the open session (`perSession`,
 * session.ts), holds it: a module has no variables and no mutable collections (check-arrows.mjs, variables).
 */
export class Scope {
  private readonly kept = new Map<() => unknown, unknown>()

  /** The scope's value for `make`, created on first use. */
  of<T>(make: () => T): T {
    if (!this.kept.has(make)) this.kept.set(make, make())
    return this.kept.get(make) as T
  }
}

const page = new Scope()

/** State that lives as long as the page. @returns a function that gets it */
export const perPage =
  <T>(make: () => T) =>
  (): T =>
    page.of(make)
