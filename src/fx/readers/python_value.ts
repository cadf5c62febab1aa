/**
 * Reads values in Python notation: print_readable's arguments, a graph's `return` line, slices. A cursor over a range
 * of a text; nests to MAX_DEPTH; throws ScanError.
 * Reason for length: one recursive grammar over one cursor.
 */
import { type Arg, Node, dict, slice, tuple } from '../graph/node'
import { opRef, type Opaque } from '../value'
import { readPythonString } from './python_string'
import { isDigit, isWord, isWordStart, MAX_DEPTH, numberEnd, ScanError, skipSpaces, wordEnd } from './scan'
import { complexFromText, deviceFromCall, intFromText, MAX_DIGITS, pyFloat, symFromText, wordValue } from './bare_words'

/** The value of a name; undefined for an undefined name. */
export type Resolve = (name: string) => Arg | undefined

const OVERLOAD = /^<OpOverload\(op='([^']*)', overload='([^']*)'\)>$/

export class PythonValues {
  private depth = 0

  /** Restarts on another range of the text. */
  reset(pos: number, end: number): void {
    this.pos = pos
    this.end = end
    this.depth = 0
  }

  constructor(
    readonly text: string,
    public pos: number,
    public end: number,
    private readonly resolve: Resolve,
    /** The value for an undefined name, where such names are inputs. */
    private readonly undefinedName: Resolve = () => undefined,
  ) {}

  /** The code of the next character after spaces (and newlines and comments, if the range spans lines); -1 at the end. */
  peek(): number {
    for (;;) {
      this.pos = skipSpaces(this.text, this.pos, this.end)
      if (this.pos >= this.end) return -1
      const c = this.text.charCodeAt(this.pos)
      if (c === 10) this.pos++
      else if (c === 35) {
        const newline = this.text.indexOf('\n', this.pos)
        this.pos = newline < 0 ? this.end : Math.min(newline, this.end)
      } else return c
    }
  }

  expect(code: number, what: string): void {
    if (this.peek() !== code) throw new ScanError(this.pos, what)
    this.pos++
  }

  /** Reads a value that ends at a comma, a closing bracket or the end of the range. */
  value(): Arg {
    const c = this.peek()
    const start = this.pos
    const found = this.primary(c)
    const next = this.peek()
    if (next === -1 || next === 44 || next === 41 || next === 93 || next === 125 || next === 59) return found
    // `2*s72 + 1`: inline symbolic arithmetic.
    this.skipToDelimiter()
    const text = this.text.slice(start, this.pos).trimEnd()
    const expr = symFromText(text)
    if (expr === undefined) throw new ScanError(start, 'a value')
    return expr
  }

  /** Reads one literal, name, container or `slice(…)`, and ignores the text after it. */
  primary(c = this.peek()): Arg {
    if (c === 40) return this.tuple()
    if (c === 91) return this.list()
    if (c === 123) return this.dict()
    if (c === 39 || c === 34) return this.string()
    if (isWordStart(c)) return this.word()
    if (isDigit(c) || c === 46 || ((c === 45 || c === 43) && this.startsNumber())) return this.number()
    if (c === 60) return this.angle()
    throw new ScanError(this.pos, 'a value')
  }

  /** True if the sign at the cursor belongs to a number: `-1`, `-inf`. */
  startsNumber(): boolean {
    const { text, pos } = this
    const c = text.charCodeAt(pos + 1)
    if (isDigit(c) || c === 46) return true
    return (text.startsWith('inf', pos + 1) || text.startsWith('nan', pos + 1)) && !isWord(text.charCodeAt(pos + 4))
  }

  /** Reads values up to `close` and consumes it. */
  items(close: number): { items: Arg[]; comma: boolean } {
    if (++this.depth > MAX_DEPTH)
      throw new ScanError(this.pos, `brackets nested at most ${MAX_DEPTH} deep`, 'deeper ones')
    const items: Arg[] = []
    let comma = false
    while (this.peek() !== close) {
      items.push(this.value())
      comma = this.peek() === 44
      if (comma) this.pos++
      else break
    }
    this.expect(close, `"," or "${String.fromCharCode(close)}"`)
    this.depth--
    return { items, comma }
  }

  private list(): Arg {
    this.pos++
    return this.items(93).items
  }

  private tuple(): Arg {
    const start = this.pos++
    const { items, comma } = this.tupleItems(start)
    if (items.length === 1 && !comma) {
      const text = this.text.slice(start, this.pos)
      return complexFromText(text) ?? symFromText(text) ?? items[0]!
    }
    return tuple(items)
  }

  /** `(1+2j)` and `(s72//2)` look like tuples until an operator comes. */
  private tupleItems(start: number): { items: readonly Arg[]; comma: boolean } {
    const depth = this.depth
    try {
      return this.items(41)
    } catch (e) {
      const near = this.text.slice(start, Math.min(this.end, start + 80))
      const close = near.indexOf(')')
      const complex = close > 0 ? complexFromText(near.slice(0, close + 1)) : undefined
      if (!complex) throw e
      this.pos = start + close + 1
      this.depth = depth
      return { items: [complex], comma: false }
    }
  }

  private dict(): Arg {
    this.pos++
    if (++this.depth > MAX_DEPTH)
      throw new ScanError(this.pos, `brackets nested at most ${MAX_DEPTH} deep`, 'deeper ones')
    const entries = new Map<string, Arg>()
    while (this.peek() !== 125) {
      const start = this.pos
      const key = this.primary()
      const name = typeof key === 'string' ? key : this.text.slice(start, this.pos)
      this.expect(58, '":"')
      entries.set(name, this.value())
      if (this.peek() !== 44) break
      this.pos++
    }
    this.expect(125, '"," or "}"')
    this.depth--
    return dict(entries)
  }

  /** Reads a string literal. */
  string(): string {
    const { value, end } = readPythonString(this.text, this.pos, this.end)
    this.pos = end
    return value
  }

  private number(): Arg {
    const { text, end } = this
    const start = this.pos
    const { end: stop, whole } = numberEnd(text, start, end)
    this.pos = stop
    if (stop - start > MAX_DIGITS) throw new ScanError(start, `a number of at most ${MAX_DIGITS} digits`)
    const word = text.slice(start, stop)
    if (whole) return intFromText(word)
    if (word.endsWith('j')) {
      const complex = complexFromText(word)
      if (complex) return complex
    }
    const x = pyFloat(word)
    if (Number.isNaN(x) && word !== 'nan' && word !== '-nan') throw new ScanError(start, 'a number')
    return x
  }

  /** Reads a dotted name at the cursor and moves past it. */
  dotted(): string {
    const { text, end } = this
    const start = this.pos
    let i = wordEnd(text, start, end)
    while (i < end - 1 && text.charCodeAt(i) === 46 && isWordStart(text.charCodeAt(i + 1)))
      i = wordEnd(text, i + 1, end)
    this.pos = i
    return text.slice(start, i)
  }

  private word(): Arg {
    const start = this.pos
    const name = this.dotted()
    const node = this.resolve(name)
    if (node !== undefined) return node
    const value = wordValue(name)
    if (value !== undefined) return value
    const next = this.pos < this.end ? this.text.charCodeAt(this.pos) : -1
    if (next === 40) return this.call(name, start)
    if (name.startsWith('torch.ops.')) return opRef(name.slice('torch.ops.'.length))
    if ((next === 39 || next === 34) && /^[rRbBuU]+$/.test(name)) {
      this.string()
      return this.opaque(start)
    }
    const expr = symFromText(name)
    if (expr !== undefined) return expr
    if (name.includes('.')) return this.opaque(start)
    if (this.isCut(start)) throw new ScanError(start, 'the rest of the line', 'a line cut in the middle')
    const input = this.undefinedName(name)
    if (input !== undefined) return input
    throw new ScanError(start, 'the name of a node defined above', JSON.stringify(name))
  }

  /** True for a name at the end of a text that ends inside a bracket: the name may be cut too. */
  private isCut(start: number): boolean {
    if (skipSpaces(this.text, this.pos, this.end) < this.end) return false
    let depth = 0
    for (let i = this.text.lastIndexOf('\n', start) + 1; i < start; i++) {
      const c = this.text.charCodeAt(i)
      if (c === 40 || c === 91 || c === 123) depth++
      else if (c === 41 || c === 93 || c === 125) depth--
    }
    return depth > 0
  }

  private call(name: string, start: number): Arg {
    switch (name) {
      case 'slice': {
        this.pos++
        const { items } = this.items(41)
        return items.length < 2 ? slice(null, items[0] ?? null) : slice(items[0]!, items[1]!, items[2] ?? null)
      }
      case 'complex': {
        this.pos++
        const [re, im] = this.items(41).items
        return { kind: 'complex', re: Number(re ?? 0), im: Number(im ?? 0) }
      }
      case 'device':
      case 'torch.device':
        return this.deviceCall(start)
      case 'torch.Size': {
        this.pos++
        const [sizes] = this.items(41).items
        return Array.isArray(sizes) ? tuple(sizes) : (sizes ?? tuple([]))
      }
    }
    const open = this.pos
    this.skipBrackets()
    const text = this.text.slice(start, this.pos)
    if (name.startsWith('self.') || this.namesNode(open))
      throw new ScanError(start, 'a value (each call has a line of its own in FX code)')
    return symFromText(text) ?? this.opaque(start)
  }

  /** True if there is a node's name between `from` and the cursor. */
  private namesNode(from: number): boolean {
    for (let i = from; i < this.pos; i++) {
      if (!isWordStart(this.text.charCodeAt(i))) continue
      const stop = wordEnd(this.text, i, this.pos)
      if (this.text.charCodeAt(stop) !== 61 && this.resolve(this.text.slice(i, stop)) instanceof Node) return true
      i = stop
    }
    return false
  }

  private deviceCall(start: number): Arg {
    this.skipBrackets()
    return deviceFromCall(this.text.slice(start, this.pos)) ?? this.opaque(start)
  }

  private angle(): Arg {
    const start = this.pos
    const close = this.text.slice(start, Math.min(this.end, start + 1000)).indexOf('>')
    if (close < 0) throw new ScanError(start, 'a value')
    this.pos = start + close + 1
    const match = OVERLOAD.exec(this.text.slice(start, this.pos))
    return match ? opRef(`${match[1]}.${match[2]}`) : this.opaque(start)
  }

  private opaque(start: number): Opaque {
    return { kind: 'opaque', text: this.text.slice(start, this.pos) }
  }

  /** Moves from an opening bracket past its closing one, skipping strings. */
  skipBrackets(): void {
    const start = this.pos
    let depth = 0
    while (this.pos < this.end) {
      const c = this.text.charCodeAt(this.pos)
      if (c === 39 || c === 34) {
        this.string()
        continue
      }
      this.pos++
      if (c === 40 || c === 91 || c === 123) depth++
      else if (c === 41 || c === 93 || c === 125) {
        if (--depth === 0) return
      }
    }
    throw new ScanError(start, 'a bracket that is closed', 'an unclosed bracket')
  }

  private skipToDelimiter(): void {
    while (this.pos < this.end) {
      const c = this.text.charCodeAt(this.pos)
      if (c === 40 || c === 91 || c === 123) {
        this.skipBrackets()
        continue
      }
      if (c === 44 || c === 41 || c === 93 || c === 125 || c === 59 || c === 10) return
      if (c === 39 || c === 34) throw new ScanError(this.pos, '"," or a closing bracket')
      this.pos++
    }
  }
}
