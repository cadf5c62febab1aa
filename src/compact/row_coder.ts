/**
 * Codes rows of small numbers that repeat in runs. A row seen before costs one decision if the previous rows predict it. A new row
 * is spelled out, predicted by the row that was expected in its place and by the last similar row.
 */
import { combine } from './mixer'
import { CodeError } from './range_coder'
import type { Numbers } from './numbers'

/** Slots of Numbers. */
const SLOT = { count: 8, hit: 9, second: 10, known: 11, row: 12, length: 13, number: 14 } as const
/** Lengths of the contexts of rows that predict the next row, longest first. */
const ORDERS = [24, 12, 6, 3, 2, 1]
const MAX_ROWS = 1 << 20
const MAX_LENGTH = 1 << 20

export class RowCoder {
  /** Distinct rows, by id. */
  private readonly distinct: number[][] = []
  private readonly ids = new Map<string, number>()
  /** By hash of the preceding ids: the id that came next, last time. */
  private readonly next: Map<number, number>[] = ORDERS.map(() => new Map<number, number>())
  /** The last row that begins with the same two numbers (op, target). */
  private readonly similar = new Map<number, number>()
  /** Ids so far, in all lists of rows. */
  private readonly history: number[] = []
  /** Strings so far. */
  private strings = 0
  /** Recent hits, one bit each. */
  private hits = 0

  constructor(private readonly numbers: Numbers) {}

  /** Learns rows that both sides have, without using any code. Their strings are the first of the list. */
  prime(rows: readonly (readonly number[])[], strings: number): void {
    this.strings = strings
    for (const row of rows) {
      const key = row.join()
      let id = this.ids.get(key)
      if (id === undefined) {
        id = this.distinct.length
        this.distinct.push([...row])
        this.ids.set(key, id)
      }
      this.learn(id)
    }
  }

  rows(rows: readonly (readonly number[])[]): number[][] {
    const count = this.numbers.uint(SLOT.count, [], rows.length)
    if (count > MAX_ROWS) throw new CodeError(`${count} rows`)
    const result: number[][] = []
    for (let i = 0; i < count; i++) result.push(this.row(rows[i] ?? []))
    return result
  }

  /** A number or, below 0, the id of a string: -1 - id. A new string is coded as 0. */
  private token(contexts: readonly number[], token: number): number {
    const id = -1 - token
    const known = id === this.strings ? 0 : id + 1
    const value = this.numbers.uint(SLOT.number, contexts, token >= 0 ? 2 * token : 2 * known + 1)
    if (value % 2 === 0) return value / 2
    if (value > 1) return -(value - 1) / 2
    this.strings++
    return -this.strings
  }

  private row(row: readonly number[]): number[] {
    const { numbers } = this
    const key = numbers.decoding ? '' : row.join()
    const actual = this.ids.get(key) ?? -1
    const { candidates, order } = this.candidates()
    let id = -1
    for (let i = 0; i < candidates.length && id < 0; i++) {
      const contexts = [combine(order, this.hits & 15), this.hits & 255, candidates[i]!]
      if (numbers.flag(i === 0 ? SLOT.hit : SLOT.second, contexts, candidates[i] === actual)) id = candidates[i]!
      this.hits = ((this.hits << 1) | (id < 0 ? 0 : 1)) & 0xffff
    }
    const last = this.history.at(-1) ?? -1
    if (id < 0 && this.distinct.length > 0 && numbers.flag(SLOT.known, [last, this.hits & 15], actual >= 0)) {
      id = this.distinct.length - 1 - numbers.uint(SLOT.row, [last, order], this.distinct.length - 1 - actual)
      if (id < 0) throw new CodeError('a row that does not exist')
    }
    if (id < 0) id = this.spell(row, candidates[0] ?? -1)
    this.learn(id)
    return this.distinct[id]!
  }

  /** Ids that followed the longest equal runs so far, at most two. */
  private candidates(): { candidates: number[]; order: number } {
    const candidates: number[] = []
    let order = ORDERS.length
    for (let i = 0; i < ORDERS.length && candidates.length < 2; i++) {
      const id = this.next[i]!.get(this.hash(ORDERS[i]!))
      if (id === undefined || candidates.includes(id)) continue
      if (candidates.length === 0) order = i
      candidates.push(id)
    }
    return { candidates, order }
  }

  private hash(order: number): number {
    let h = order
    for (let i = 1; i <= order; i++) h = combine(h, this.history[this.history.length - i] ?? -1)
    return h
  }

  private learn(id: number): void {
    for (let i = 0; i < ORDERS.length; i++) this.next[i]!.set(this.hash(ORDERS[i]!), id)
    this.history.push(id)
    this.similar.set(this.start(this.distinct[id]!), id)
  }

  private readonly start = (row: readonly number[]): number => combine(row[0] ?? 0, row[1] ?? 0)

  private spell(row: readonly number[], expected: number): number {
    const { numbers } = this
    const first = this.distinct[expected] ?? []
    let like: readonly number[] = []
    const length = numbers.uint(SLOT.length, [first.length], row.length)
    if (length > MAX_LENGTH) throw new CodeError(`a row of ${length} numbers`)
    const spelled: number[] = []
    let prefix = 0
    let differs = 0
    for (let i = 0; i < length; i++) {
      const one = spelled[i - 1] ?? -1
      const two = spelled[i - 2] ?? -1
      const contexts = [
        combine(combine(first[i] ?? -1, like[i] ?? -1), combine(differs, one)),
        combine(like[i] ?? -1, combine(one, i)),
        prefix,
        combine(combine(one, two), spelled[i - 3] ?? -1),
        combine(combine(spelled[0] ?? 0, spelled[1] ?? 0), i),
        combine(one, 1),
      ]
      const value = this.token(contexts, row[i] ?? 0)
      spelled.push(value)
      prefix = combine(prefix, value)
      if (value !== first[i]) differs = Math.min(3, differs + 1)
      if (i === 1) like = this.distinct[this.similar.get(this.start(spelled)) ?? -1] ?? []
    }
    const key = spelled.join()
    const id = this.distinct.length
    this.distinct.push(spelled)
    this.ids.set(key, id)
    return id
  }
}
