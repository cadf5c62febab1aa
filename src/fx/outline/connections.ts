/** Corrects an alignment by the connections of its nodes. */
import { NONE, put, type Alignment } from './columns'
import type { Structure } from './order'

export class Connections {
  private readonly origin: number

  constructor(
    private readonly s: Structure,
    private readonly a: Alignment,
  ) {
    this.origin = a.starts[0]!
  }

  private columnOf(position: number): number {
    const i = position - this.origin
    return i >= 0 && i < this.a.column.length ? this.a.column[i]! : NONE
  }

  private segmentOf(position: number): number {
    return this.a.segment[position - this.origin]!
  }

  /** Removes a node from its column if none of its neighbors is in the expected column. */
  drop(): void {
    const { column, at, typical } = this.a
    const { slots } = this.s
    const wrong: number[] = []
    for (let i = 0; i < column.length; i++) {
      const c = column[i]!
      if (c === NONE) continue
      const node = i + this.origin
      const model = typical[c]!
      // Fast path: usually the first input is in the expected column.
      if (slots.count(model) > 0 && slots.count(node) > 0) {
        const own = this.columnOf(slots.first(model))
        if (own !== NONE && this.columnOf(slots.first(node)) === own) continue
      }
      if (!this.agrees(node, model)) wrong.push(i)
    }
    for (let w = 0; w < wrong.length; w++) {
      const i = wrong[w]!
      at[this.a.segment[i]! * typical.length + column[i]!] = NONE
      column[i] = NONE
    }
  }

  /**
   * Swaps the columns of two inputs (and of the nodes that compute them) if a node takes them in the other order, because the
   * canonical order follows the order of the operands.
   */
  uncross(): void {
    const { column, typical } = this.a
    const { slots, operator } = this.s
    for (let i = column.length - 1; i >= 0; i--) {
      if (column[i] === NONE) continue
      const other = typical[column[i]!]!
      const node = i + this.origin
      if (slots.count(other) !== 2 || slots.count(node) !== 2) continue
      if (operator[slots.first(node)] === operator[slots.first(other)]) continue
      const model = slots.of(other)
      const own = slots.of(node)
      if (operator[own[0]!] !== operator[model[1]!] || operator[own[1]!] !== operator[model[0]!]) continue
      this.force(model[0]!, own[1]!, this.a.segment[i]!)
      this.force(model[1]!, own[0]!, this.a.segment[i]!)
    }
  }

  /** Gives a node and its inputs the columns of a typical node and its inputs, as far as their operators agree. */
  private force(model: number, node: number, k: number): void {
    const { at, typical, column, typicalAt } = this.a
    const pairs = [[model, node]]
    for (let next = 0; next < pairs.length && next < typical.length; next++) {
      const [m, n] = pairs[next]! as [number, number]
      const c = this.columnOf(m)
      const i = n - this.origin
      if (c === NONE || this.segmentOf(m) !== typicalAt || i < 0 || i >= column.length) continue
      const slot = k * typical.length + c
      if (at[slot] === n || this.s.operator[m] !== this.s.operator[n]) continue
      if (column[i] !== NONE) at[this.segmentOf(n) * typical.length + column[i]!] = NONE
      if (at[slot] !== NONE) column[at[slot]! - this.origin] = NONE
      put(this.a, k, c, n)
      const own = this.s.slots.of(n)
      this.s.slots.of(m).forEach((input, j) => j < own.length && pairs.push([input, own[j]!]))
    }
  }

  /**
   * Moves a column to a node's actual input if the node that has the column has no user that agrees: where two equal chains feed
   * one node, the seed's window may have taken the wrong one.
   */
  correct(): void {
    const { column, at, typical, typicalAt } = this.a
    const { slots } = this.s
    const size = typical.length
    for (let i = column.length - 1; i >= 0; i--) {
      if (column[i] === NONE) continue
      const node = i + this.origin
      const model = typical[column[i]!]!
      const count = Math.min(slots.count(model), slots.count(node))
      for (let j = 0; j < count; j++) {
        const input = slots.items[slots.starts[model]! + j]!
        const c = this.columnOf(input)
        const actual = slots.items[slots.starts[node]! + j]!
        if (c === NONE || !this.free(actual, input)) continue
        const k = this.segmentOf(input) + this.segmentOf(node) - typicalAt
        const holder = k < 0 || k * size >= at.length ? NONE : at[k * size + c]!
        if (holder === NONE || this.used(holder, c)) continue
        column[holder - this.origin] = NONE
        put(this.a, k, c, actual)
      }
    }
  }

  /** True if some user of `node` takes it at the argument where the typical user takes the node of column `c`. */
  private used(node: number, c: number): boolean {
    const { slots, users } = this.s
    return users.of(node).some((user) => {
      const own = this.columnOf(user)
      return (
        own !== NONE &&
        slots
          .of(user)
          .some((input, j) => input === node && this.columnOf(slots.of(this.a.typical[own]!)[j] ?? NONE) === c)
      )
    })
  }

  /**
   * True if a neighbor of `node` is in the column of the corresponding neighbor of `model`, or no neighbor of `model` has a column.
   * For a user with three or more inputs, the argument position must agree too.
   */
  private agrees(node: number, model: number): boolean {
    const { slots, users } = this.s
    let judged = false
    const inputs = slots.of(model)
    const others = slots.of(node)
    for (let j = 0; j < inputs.length; j++) {
      const c = this.columnOf(inputs[j]!)
      if (c === NONE) continue
      judged = true
      const other = others[j]
      if (other !== undefined && this.columnOf(other) === c) return true
    }
    const following = users.of(model)
    const own = users.of(node)
    for (let i = 0; i < following.length; i++) {
      const c = this.columnOf(following[i]!)
      if (c === NONE) continue
      judged = true
      const [inputs, j] = [slots.of(following[i]!), slots.of(following[i]!).indexOf(model)]
      for (let k = 0; k < own.length; k++)
        if (this.columnOf(own[k]!) === c && (inputs.length < 3 || slots.of(own[k]!)[j] === node)) return true
    }
    return !judged
  }

  /** Fills empty columns with neighbors of nodes that have columns, following another segment. */
  spread(): void {
    const { at, typical } = this.a
    const size = typical.length
    const segments = at.length / size
    const partial: boolean[] = []
    for (let k = 0; k < segments; k++) partial.push(at.subarray(k * size, (k + 1) * size).includes(NONE))
    const queue: number[] = []
    for (let k = 0; k < segments; k++) {
      if (!partial[k] && !partial[k - 1] && !partial[k + 1]) continue
      for (let i = k * size; i < (k + 1) * size; i++) if (at[i] !== NONE) queue.push(at[i]!)
    }
    for (let next = 0; next < queue.length; next++) {
      const node = queue[next]!
      const k = this.segmentOf(node)
      const c = this.columnOf(node)
      const { typicalAt } = this.a
      for (let i = 0; i < 3; i++) {
        const other = i === 0 ? typicalAt : i === 1 ? k + 1 : k - 1
        if (other === k || other < 0 || other >= segments || (i > 0 && other === typicalAt)) continue
        const model = at[other * size + c]!
        if (model !== NONE) this.spreadFrom(node, model, k - other, queue)
      }
    }
  }

  /** @param shift segments from `model` to `node` */
  private spreadFrom(node: number, model: number, shift: number, queue: number[]): void {
    const { slots, users } = this.s
    const inputs = slots.of(model)
    const own = slots.of(node)
    for (let j = 0; j < inputs.length; j++) this.fill(inputs[j]!, own[j], shift, queue)
    const following = users.of(model)
    const candidates = users.of(node)
    for (let i = 0; i < following.length; i++) {
      const user = following[i]!
      if (this.columnOf(user) === NONE) continue
      const j = slots.of(user).indexOf(model)
      let found = NONE
      let count = 0
      for (let q = 0; q < candidates.length; q++) {
        const u = candidates[q]!
        if (slots.of(u)[j] !== node || !this.free(u, user)) continue
        found = u
        count++
      }
      if (count === 1) this.fill(user, found, shift, queue)
    }
  }

  /** Swaps two nodes of an incomplete segment if more of their inputs then have the expected column. */
  exchange(): void {
    const { at, typical } = this.a
    const size = typical.length
    for (let k = 0; k * size < at.length; k++) {
      if (!at.subarray(k * size, (k + 1) * size).includes(NONE)) continue
      for (let c = 0; c < size; c++) {
        const node = at[k * size + c]!
        if (node !== NONE && this.agreeing(node, typical[c]!) < this.agreeing(typical[c]!, typical[c]!))
          this.exchangeAt(k, c, node)
      }
    }
  }

  private exchangeAt(k: number, c: number, node: number): void {
    const { at, typical, typicalAt } = this.a
    const { slots, users, operator } = this.s
    const size = typical.length
    for (const input of slots.of(typical[c]!)) {
      const column = this.columnOf(input)
      const source = column === NONE ? NONE : (at[(k + this.segmentOf(input) - typicalAt) * size + column] ?? NONE)
      for (const other of source === NONE ? [] : users.of(source)) {
        const d = this.columnOf(other)
        if (other === node || d === NONE || operator[other] !== operator[node] || this.segmentOf(other) !== k) continue
        const before = this.agreeing(node, typical[c]!) + this.agreeing(other, typical[d]!)
        if (this.agreeing(other, typical[c]!) + this.agreeing(node, typical[d]!) <= before) continue
        put(this.a, k, c, other)
        put(this.a, k, d, node)
        return
      }
    }
  }

  /** Number of inputs in the same columns as the inputs of `model`. */
  private agreeing(node: number, model: number): number {
    const inputs = this.s.slots.of(model)
    const own = this.s.slots.of(node)
    let count = 0
    for (let j = 0; j < inputs.length && j < own.length; j++) {
      const c = this.columnOf(inputs[j]!)
      if (c !== NONE && this.columnOf(own[j]!) === c) count++
    }
    return count
  }

  private free(node: number, model: number): boolean {
    const i = node - this.origin
    return (
      i >= 0 &&
      i < this.a.column.length &&
      this.a.column[i] === NONE &&
      this.s.operator[node] === this.s.operator[model]
    )
  }

  private fill(model: number, node: number | undefined, shift: number, queue: number[]): void {
    const c = this.columnOf(model)
    if (node === undefined || c === NONE || !this.free(node, model)) return
    const k = this.segmentOf(model) + shift
    const size = this.a.typical.length
    if (k < 0 || k * size >= this.a.at.length || this.a.at[k * size + c] !== NONE) return
    put(this.a, k, c, node)
    queue.push(node)
  }
}
