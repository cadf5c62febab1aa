/** Reads the source of a regular expression: the parts from which linear_pattern.ts makes an automaton. Case is ignored. */

/** Tests the code of a character. */
export type Test = (code: number) => boolean
/** A place in the text, not a character. */
export type Assertion = '^' | '$' | 'b' | 'B'

/** A part of a pattern. */
export type Part =
  | { kind: 'set'; test: Test }
  | { kind: 'assert'; what: Assertion }
  | { kind: 'all'; parts: readonly Part[] }
  | { kind: 'any'; parts: readonly Part[] }
  | { kind: 'repeat'; part: Part; min: number; max: number }

/** True for a character of a word. */
export const isWord: Test = (c) => (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || c === 95 || (c >= 97 && c <= 122)
const isDigit: Test = (c) => c >= 48 && c <= 57
const isSpace: Test = (c) => /\s/.test(String.fromCharCode(c))
const isNewline: Test = (c) => c === 10 || c === 13 || c === 0x2028 || c === 0x2029
const not =
  (test: Test): Test =>
  (c) =>
    !test(c)
const CLASSES: Readonly<Record<string, Test>> = {
  w: isWord,
  W: not(isWord),
  d: isDigit,
  D: not(isDigit),
  s: isSpace,
  S: not(isSpace),
}
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v', '0': '\0' }

/** What is no regular expression, or holds what is not regular. */
export class NotRegular extends Error {}

/** Parses a source. `read` throws NotRegular. */
export class PatternParser {
  private at = 0

  constructor(private readonly source: string) {}

  read(): Part {
    const part = this.choice()
    if (this.at < this.source.length) throw new NotRegular()
    return part
  }

  private choice(): Part {
    const parts = [this.sequence()]
    while (this.take('|')) parts.push(this.sequence())
    return parts.length === 1 ? parts[0]! : { kind: 'any', parts }
  }

  private sequence(): Part {
    const parts: Part[] = []
    while (this.at < this.source.length && !/[|)]/.test(this.source[this.at]!)) parts.push(this.repeated(this.atom()))
    return { kind: 'all', parts }
  }

  private repeated(part: Part): Part {
    const found = /(?:[*+?]|\{(\d{1,4})(,(\d{0,4}))?\})\??/y
    found.lastIndex = this.at
    const [text = '', low, range, high] = found.exec(this.source) ?? []
    if (text === '') return part
    if (part.kind === 'assert') throw new NotRegular()
    this.at += text.length
    const min = low === undefined ? (text[0] === '+' ? 1 : 0) : Number(low)
    const fixed = low !== undefined && range === undefined ? min : Infinity
    const max = text[0] === '?' ? 1 : high === undefined || high === '' ? fixed : Number(high)
    if (max < min) throw new NotRegular()
    return { kind: 'repeat', part, min, max }
  }

  private atom(): Part {
    const c = this.source[this.at++]!
    if (c === '^' || c === '$') return { kind: 'assert', what: c }
    if (c === '.') return { kind: 'set', test: not(isNewline) }
    if (c === '[') return { kind: 'set', test: this.set() }
    if (c === '\\') return this.escaped()
    if (c === '*' || c === '+' || c === '?') throw new NotRegular()
    if (c !== '(') return { kind: 'set', test: same(c.charCodeAt(0)) }
    if (this.take('?') && !this.take(':')) throw new NotRegular()
    const inner = this.choice()
    if (!this.take(')')) throw new NotRegular()
    return inner
  }

  private escaped(): Part {
    const c = this.source[this.at]
    if (c === 'b' || c === 'B') {
      this.at++
      return { kind: 'assert', what: c }
    }
    return { kind: 'set', test: this.escape() }
  }

  /** The character or the class behind a backslash. */
  private escape(): Test {
    const code = this.code()
    return typeof code === 'number' ? same(code) : code
  }

  private code(): number | Test {
    const c = this.source[this.at++]
    if (c === undefined || /[1-9kpPcxu]/.test(c)) throw new NotRegular()
    return CLASSES[c] ?? (CONTROLS[c] ?? c).charCodeAt(0)
  }

  private set(): Test {
    const negated = this.take('^')
    const tests: Test[] = []
    while (!this.take(']')) {
      const from = this.member()
      const isRange = this.source[this.at] === '-' && this.source[this.at + 1] !== ']'
      if (typeof from === 'number' && isRange) {
        this.at++
        const to = this.member()
        if (typeof to !== 'number' || to < from) throw new NotRegular()
        tests.push((c) => c >= from && c <= to)
      } else tests.push(typeof from === 'number' ? same(from) : from)
    }
    const any: Test = (c) => tests.some((test) => withCases(test, c))
    return negated ? not(any) : any
  }

  private member(): number | Test {
    const c = this.source[this.at]
    if (c === undefined) throw new NotRegular()
    this.at++
    return c === '\\' ? this.code() : c.charCodeAt(0)
  }

  private take(c: string): boolean {
    if (this.source[this.at] !== c) return false
    this.at++
    return true
  }
}

function withCases(test: Test, code: number): boolean {
  if (test(code)) return true
  const c = String.fromCharCode(code)
  return test(c.toLowerCase().charCodeAt(0)) || test(c.toUpperCase().charCodeAt(0))
}

const same = (code: number): Test => {
  const only: Test = (c) => c === code
  return (c) => withCases(only, c)
}
