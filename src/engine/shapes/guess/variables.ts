/** Unknown sizes and dtypes that turn out equal: a union-find whose classes may have a value. */

export interface Bound<T> {
  value: T
  /** Where the value comes from: "arg0_1", "the sizes of view_2". */
  origin: string
}

export class Variables<T> {
  private readonly parent: number[] = []
  private readonly bound: (Bound<T> | null)[] = []
  /** Counts merges and bindings, so that a caller sees whether a round changed anything. */
  changes = 0

  fresh(bound: Bound<T> | null = null): number {
    this.parent.push(this.parent.length)
    this.bound.push(bound)
    return this.parent.length - 1
  }

  get(v: number): Bound<T> | null {
    return this.bound[this.root(v)]!
  }

  same(a: number, b: number): boolean {
    return this.root(a) === this.root(b)
  }

  /** Merges two variables. Two different values stay apart: the graph says more than a guess knows. */
  unify(a: number, b: number): void {
    const [x, y] = [this.root(a), this.root(b)]
    if (x === y) return
    const [left, right] = [this.bound[x]!, this.bound[y]!]
    if (left && right && left.value !== right.value) return
    this.parent[y] = x
    this.bound[x] = left ?? right
    this.changes++
  }

  bind(v: number, value: T, origin: string): void {
    const root = this.root(v)
    if (this.bound[root]) return
    this.bound[root] = { value, origin }
    this.changes++
  }

  private root(v: number): number {
    let at = v
    while (this.parent[at] !== at) {
      this.parent[at] = this.parent[this.parent[at]!]!
      at = this.parent[at]!
    }
    return at
  }
}
