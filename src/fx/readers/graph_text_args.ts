/**
 * Reads the arguments in print(graph)'s lines. Strings are not quoted there, so the text is ambiguous: a bare string
 * extends to the next ", " or to the bracket that closes its container. The result prints back to the same bytes.
 */
import { orElse } from '../../base/or_else'
import { isDigit, isWord, MAX_DEPTH, pairBrackets, ScanError, wordEnd } from './scan'
import { PythonValues, type Resolve } from './python_value'
import { type Arg, dict, tuple } from '../graph/node'
import { bareValue, intFromText, MAX_DIGITS, pyFloat } from './bare_words'

const COMMA = 44

export class GraphTextArgs {
  private depth = 0
  /** Set once an undefined `%name` was read: the line is read again after all nodes are known. */
  forward = false
  private readonly words = new Map<string, Arg>()

  constructor(
    readonly text: string,
    private readonly node: Resolve,
  ) {}

  /**
   * Null at first: all brackets are trusted. If that fails, a string contains an unbalanced bracket; then only balanced
   * ones count and the rest are plain characters. Maps each opening bracket's offset to its closing one's.
   */
  private pairs: ReadonlyMap<number, number> | null = null
  private closers: ReadonlySet<number> | null = null

  pos = 0
  end = 0

  /** The values between `pos` and `end`: the contents of an args tuple, including the trailing comma of a one-tuple. */
  list(pos: number, end: number): Arg[] {
    return this.retrying(pos, end, () => {
      this.begin(pos, end)
      const items: Arg[] = []
      if (pos === end) return items
      // `(x,)`: the comma of a one-tuple.
      if (this.text.charCodeAt(end - 1) === COMMA) this.end = end - 1
      for (;;) {
        items.push(this.item(-1))
        if (this.pos >= this.end) return items
        this.separator()
      }
    })
  }

  /** `key: value` pairs between `pos` and `end`: the contents of kwargs. */
  keyed(pos: number, end: number): Map<string, Arg> {
    return this.retrying(pos, end, () => {
      this.begin(pos, end)
      return this.entries(-1)
    })
  }

  /** The text of a placeholder's default. */
  single(pos: number, end: number): Arg {
    return this.retrying(pos, end, () => {
      this.begin(pos, end)
      const value = this.item(-1)
      return this.pos < end ? this.text.slice(pos, end) : value
    })
  }

  private begin(pos: number, end: number): void {
    this.pos = pos
    this.end = end
    this.depth = 0
  }

  private retrying<T>(pos: number, end: number, read: () => T): T {
    try {
      return read()
    } catch (e) {
      if (!(e instanceof ScanError) || e.expected.startsWith('brackets')) throw e
      this.pairs = pairBrackets(this.text, pos, end)
      this.closers = new Set(this.pairs.values())
      try {
        return read()
      } finally {
        this.pairs = this.closers = null
      }
    }
  }

  /** True if the closing bracket `code` at offset `at` ends the container that `close` closes. */
  private closes(code: number, close: number, at: number): boolean {
    return code === close && (this.closers === null || this.closers.has(at))
  }

  private separator(): void {
    this.pos++
    if (this.text.charCodeAt(this.pos) === 32) this.pos++
  }

  /**
   * True if an item that ends at `pos` is followed by the end of its container (its closing bracket, or -1 for the
   * range).
   */
  private atEnd(close: number): boolean {
    if (this.pos >= this.end) return true
    const c = this.text.charCodeAt(this.pos)
    if (this.closes(c, close, this.pos)) return true
    return c === COMMA && this.separates(this.pos, close)
  }

  private separates(comma: number, close: number): boolean {
    const c = this.text.charCodeAt(comma + 1)
    return c === 32 || this.closes(c, close, comma + 1) || comma + 1 >= this.end
  }

  private item(close: number): Arg {
    const { text } = this
    const start = this.pos
    if (start >= this.end) return ''
    const c = text.charCodeAt(start)
    if (c === 37) {
      const stop = wordEnd(text, start + 1, this.end)
      this.pos = stop
      if (stop > start + 1 && this.atEnd(close)) {
        const name = text.slice(start + 1, stop)
        const node = this.node(name)
        if (node !== undefined) return node
        this.forward = true
        return { kind: 'opaque', text: `%${name}` }
      }
    } else if (isDigit(c) || (c === 45 && isDigit(text.charCodeAt(start + 1)))) {
      const value = this.number()
      if (value !== undefined && this.atEnd(close)) return value
    } else if ((c === 91 || c === 40 || c === 123) && this.pairs && !this.pairs.has(start)) {
      // A character of a string.
    } else if (c === 91) {
      const items = this.nested(93)
      if (this.atEnd(close)) return items.items
    } else if (c === 40) {
      const { items, comma } = this.nested(41)
      if (this.atEnd(close)) {
        if (items.length !== 1 || comma) return tuple(items)
        return this.bare(text.slice(start, this.pos))
      }
    } else if (c === 123) {
      this.pos++
      this.enter()
      const entries = this.entries(125)
      this.leave(125)
      if (this.atEnd(close)) return dict(entries)
    } else if (c === 115 && text.startsWith('slice(', start)) {
      const value = this.pythonSlice()
      if (value !== undefined && this.atEnd(close)) return value
      this.pos = start
    }
    // A bare word or string, from the start of the item.
    this.skipString(close)
    return this.bare(text.slice(start, this.pos))
  }

  private number(): Arg | undefined {
    const { text, end } = this
    const start = this.pos
    let i = start + 1
    while (i < end && isDigit(text.charCodeAt(i))) i++
    this.pos = i
    if (i - start > MAX_DIGITS) return undefined
    const c = text.charCodeAt(i)
    if (i >= end || !(c === 46 || isWord(c))) return intFromText(text.slice(start, i))
    for (; i < end; i++) {
      const d = text.charCodeAt(i)
      if (isDigit(d) || d === 46) continue
      if (d === 101 || ((d === 45 || d === 43) && text.charCodeAt(i - 1) === 101)) continue
      break
    }
    this.pos = i
    const x = pyFloat(text.slice(start, i))
    return Number.isNaN(x) ? undefined : x
  }

  private nested(close: number): { items: Arg[]; comma: boolean } {
    this.pos++
    this.enter()
    const items: Arg[] = []
    let comma = false
    if (this.text.charCodeAt(this.pos) !== close)
      for (;;) {
        items.push(this.item(close))
        if (this.pos >= this.end || this.text.charCodeAt(this.pos) !== COMMA) break
        this.separator()
        if (this.text.charCodeAt(this.pos) === close && this.text.charCodeAt(this.pos - 1) === COMMA) {
          comma = true
          break
        }
      }
    this.leave(close)
    return { items, comma }
  }

  private enter(): void {
    if (++this.depth > MAX_DEPTH)
      throw new ScanError(this.pos, `brackets nested at most ${MAX_DEPTH} deep`, 'deeper ones')
  }

  private leave(close: number): void {
    if (this.pos >= this.end || this.text.charCodeAt(this.pos) !== close)
      throw new ScanError(this.pos, `"," or "${String.fromCharCode(close)}"`)
    this.pos++
    this.depth--
  }

  private entries(close: number): Map<string, Arg> {
    const entries = new Map<string, Arg>()
    if (this.pos >= this.end || this.text.charCodeAt(this.pos) === close) return entries
    let key = this.key()
    if (key === null) throw new ScanError(this.pos, '"name: value"')
    for (;;) {
      const start = this.pos
      let value = this.item(close)
      let next: string | null = null
      while (this.pos < this.end && this.text.charCodeAt(this.pos) === COMMA) {
        this.separator()
        next = this.key()
        if (next !== null) break
        // No key follows the comma, so it was part of a string.
        this.skipString(close)
        value = this.text.slice(start, this.pos)
      }
      entries.set(key, value)
      if (next === null) return entries
      key = next
    }
  }

  /** Consumes `name: `; returns null, without moving the cursor, if the text is different. */
  private key(): string | null {
    const start = this.pos
    const stop = wordEnd(this.text, start, this.end)
    if (stop === start || this.text.charCodeAt(stop) !== 58 || this.text.charCodeAt(stop + 1) !== 32) return null
    this.pos = stop + 2
    return this.text.slice(start, stop)
  }

  /** Moves the cursor to the end of the bare string that contains it. */
  private skipString(close: number): void {
    const { text, end } = this
    let depth = 0
    let i = this.pos
    for (; i < end; i++) {
      const c = text.charCodeAt(i)
      if (depth === 0) {
        if (this.closes(c, close, i)) break
        if (c === COMMA && this.separates(i, close)) break
      }
      if (this.pairs) {
        i = this.pairs.get(i) ?? i
        continue
      }
      if (c === 40 || c === 91 || c === 123) depth++
      else if ((c === 41 || c === 93 || c === 125) && depth > 0) depth--
    }
    this.pos = i
    if (depth > 0) throw new ScanError(i, 'a closing bracket')
  }

  private pythonSlice(): Arg | undefined {
    const values = new PythonValues(this.text, this.pos, this.end, this.node)
    const value = orElse(() => values.primary(), undefined, ScanError)
    if (value !== undefined) this.pos = values.pos
    return value
  }

  /** The value of bare text: a constant, a device, an operator, a symbol, or a string. */
  private bare(text: string): Arg {
    const known = this.words.get(text)
    if (known !== undefined) return known
    const value = bareValue(text)
    if (text.length < 100) this.words.set(text, value)
    return value
  }
}
