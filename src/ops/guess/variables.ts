/** Unknown sizes and dtypes that turn out equal: a union-find whose classes may have a value. */

export interface Bound<T> {
  value: T
  /** Where the value comes from: "arg0_1", "the sizes of view_2". */
  origin: string
}

/** @typeParam H what holds a variable, such as the node whose size it is */
export class Variables<T, H = never> {
  private readonly parent: number[] = []
  /** By root. */
  private readonly holders: (H[] | null)[] = []
  private readonly bound: (Bound<T> | null)[] = []
  /** Counts merges and bindings, so that a caller sees whether a round changed anything. */
  changes = 0

  /** @param onChange called for each holder that sees a new value, or that finds more variables equal */
  constructor(private readonly onChange: (holder: H) => void = () => {}) {}

  fresh(bound: Bound<T> | null = null): number {
    this.parent.push(this.parent.length)
    this.bound.push(bound)
    this.holders.push(null)
    return this.parent.length - 1
  }

  hold(v: number, holder: H): void {
    const root = this.root(v)
    const known = this.holders[root]
    if (known) known.push(holder)
    else this.holders[root] = [holder]
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
    this.merge(x, y, left !== null, right !== null)
  }

  /** The holders of a class that got a value see it; of two classes without a new value, those of the smaller suffice. */
  private merge(x: number, y: number, hadLeft: boolean, hadRight: boolean): void {
    const [a, b] = [this.holders[x] ?? [], this.holders[y] ?? []]
    const [small, large] = a.length < b.length ? [a, b] : [b, a]
    const changed = hadLeft === hadRight ? small : hadLeft ? b : a
    const told = [...changed]
    for (const h of small) large.push(h)
    this.holders[x] = large
    this.holders[y] = null
    told.forEach(this.onChange)
  }

  bind(v: number, value: T, origin: string): void {
    const root = this.root(v)
    if (this.bound[root]) return
    this.bound[root] = { value, origin }
    this.changes++
    this.holders[root]?.forEach(this.onChange)
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
