/**
 * JSON as rows of small numbers, for the parts of a snapshot besides its texts. Each object gets a separate row: objects that
 * differ only in consecutive numbers in their names have equal rows.
 */
import { CodeError } from './range_coder'
import { RowCursor } from './row_cursor'
import { NameNumbers, signed, splitName, unsigned, type Strings } from './row_state'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** Ids are part of the format: append only. */
const JSON_KIND = {
  null: 0,
  false: 1,
  true: 2,
  int: 3,
  float: 4,
  string: 5,
  name: 6,
  list: 7,
  rows: 8,
  object: 9,
  row: 10,
} as const
const MAX_DEPTH = 60
const MAX_ITEMS = 1 << 20

export class JsonWriter {
  private readonly names = new NameNumbers()
  private rows: number[][] = []

  constructor(private readonly strings: Strings) {}

  write(value: Json): number[][] {
    this.rows = []
    this.separate(value)
    return this.rows
  }

  private separate(value: Json): void {
    const row: number[] = []
    this.rows.push(row)
    if (typeof value !== 'object' || value === null || isList(value)) return this.value(value, row)
    const entries = Object.entries(value).filter((e): e is [string, Json] => e[1] !== undefined)
    row.push(JSON_KIND.object, this.string(entries.map(([key]) => escapeKey(key)).join()))
    for (const [, item] of entries) this.value(item, row)
  }

  private value(value: Json, row: number[]): void {
    if (value === null) return void row.push(JSON_KIND.null)
    if (typeof value === 'boolean') return void row.push(value ? JSON_KIND.true : JSON_KIND.false)
    if (typeof value === 'number') {
      if (Number.isInteger(value) && Math.abs(value) < 2 ** 38 && !Object.is(value, -0))
        return void row.push(JSON_KIND.int, signed(value))
      return void row.push(JSON_KIND.float, this.string(String(value)))
    }
    if (typeof value === 'string') return this.text(value, row)
    if (isList(value)) return this.list(value, row)
    // An object is a row of its own, so that a changed one leaves the others as they are.
    row.push(JSON_KIND.row)
    this.separate(value)
  }

  private list(value: readonly Json[], row: number[]): void {
    // Rows of objects follow this row in the order of the list; the reader reads them in the same order.
    const separate = value.length > 1 && value.every((item) => typeof item === 'object' && item !== null)
    row.push(separate ? JSON_KIND.rows : JSON_KIND.list, value.length)
    for (const item of value)
      if (separate) this.separate(item)
      else this.value(item, row)
  }

  private text(value: string, row: number[]): void {
    const { template, numbers } = isName(value) ? splitName(value) : { template: value, numbers: [] }
    if (numbers.length === 0) return void row.push(JSON_KIND.string, this.string(value))
    row.push(JSON_KIND.name, this.string(template))
    row.push(...this.names.differences(template, numbers))
  }

  private string(text: string): number {
    return -1 - this.strings.id(text)
  }
}

export class JsonReader {
  private readonly names = new NameNumbers()
  private next = 0

  constructor(
    private readonly strings: readonly string[],
    private readonly rows: readonly (readonly number[])[],
  ) {}

  read(): Json {
    return this.separate(0)
  }

  private separate(depth: number): Json {
    const row = this.rows[this.next++]
    if (!row) throw new CodeError('too few rows')
    const at = new RowCursor(row, this.strings)
    const value = this.value(at, depth)
    at.end()
    return value
  }

  private value(at: RowCursor, depth: number): Json {
    if (depth > MAX_DEPTH) throw new CodeError('values that nest too deeply')
    switch (at.uint()) {
      case JSON_KIND.null:
        return null
      case JSON_KIND.false:
        return false
      case JSON_KIND.true:
        return true
      case JSON_KIND.int:
        return unsigned(at.uint())
      case JSON_KIND.float:
        return Number(at.string())
      case JSON_KIND.string:
        return at.string()
      case JSON_KIND.name:
        return this.name(at)
      case JSON_KIND.list:
        return this.items(at, () => this.value(at, depth + 1))
      case JSON_KIND.rows:
        return this.items(at, () => this.separate(depth + 1))
      case JSON_KIND.row:
        return this.separate(depth + 1)
      case JSON_KIND.object: {
        const keys = at.string()
        const entries = keys === '' ? [] : keys.split(',').map((key) => [unescapeKey(key), this.value(at, depth + 1)])
        return Object.fromEntries(entries) as Json
      }
      default:
        throw new CodeError('a kind of value that does not exist')
    }
  }

  private items(at: RowCursor, item: () => Json): Json[] {
    const n = at.uint()
    if (n > MAX_ITEMS) throw new CodeError(`${n} items`)
    const items: Json[] = []
    for (let i = 0; i < n; i++) items.push(item())
    return items
  }

  private name(at: RowCursor): string {
    return this.names.name(at.string(), () => at.uint())
  }
}

/** A name of a node, or a word with a number at its end. */
const isName = (text: string): boolean => text.length < 100 && /^[A-Za-z_][\w.]*$/.test(text)
const isList = (value: object): value is readonly Json[] => Array.isArray(value)
/** Keys are joined by commas. */
const escapeKey = (key: string): string => (key === '' ? '%' : key.replace(/[%,]/g, (c) => (c === '%' ? '%p' : '%c')))
const unescapeKey = (key: string): string =>
  key === '%' ? '' : key.replace(/%([pc])/g, (_, c) => (c === 'p' ? '%' : ','))
