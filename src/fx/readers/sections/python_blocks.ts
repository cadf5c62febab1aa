/** Finds Python programs in a text: the script of an issue, a model's source, a file that registers patterns. */
import type { CleanText } from '../clean/clean_text'

/** A program's part of a text. */
export interface CodeBlock {
  /** Number of its first line, from 1, and of the line after its last one. */
  line: number
  endLine: number
  text: string
}

/** A line that only programs have. */
const BEGINS = /^(?:import [A-Za-z_]|from [.\w]+ import\b|def \w+\s*\(|class \w+\s*[(:]|@[A-Za-z_][\w.]*(?:\(|$))/
/** A line that belongs to a program only if one is open. */
const STATEMENT = new RegExp(
  [
    String.raw`^(?:#|@\w|[)\]}]|"""|'''|["'].*["']$|%\w+ |\.\.\.$|\w+:$)`,
    String.raw`^(?:import|from|def|class|async|if|elif|for|while|with|return|raise|assert|del|global|nonlocal|yield|await|match|case|except)\b.*[^.?!]$`,
    String.raw`^(?:else|try|finally)\s*:|^(?:pass|break|continue|return)$`,
    // An assignment, or a call. Prose has a space before a bracket.
    String.raw`^[A-Za-z_(*][\w.]*(?:\[[^\]]*\])*(?:\s*,\s*[\w.*]+)*,?\)?\s*(?::\s*[\w."'\[\], ]+)?\s*(?:[-+*/|&@%]|\/\/|\*\*)?=[^=]`,
    String.raw`^[A-Za-z_][\w.]*(?:\[[^\]]*\])*\(`,
  ].join('|'),
)
/** A page of prose may be a single line. */
const isStatement = (line: string): boolean => STATEMENT.test(line.trim().slice(0, 300))
const LONGEST = 10_000
const QUOTES = /"""|'''/g

/** Lines of a text that belong to its printed graphs, by number from 1. */
export type Taken = (line: number) => boolean

/** The programs of a text, in order. */
export function pythonBlocks({ text, fences }: CleanText, taken: Taken): CodeBlock[] {
  return new Blocks(text.split('\n'), fences, taken).find()
}

class Blocks {
  private readonly found: CodeBlock[] = []
  /** First line of the open program, from 0; null: none is open. */
  private begin: number | null = null
  /** Its last non-blank line. */
  private last = 0
  private indent = 0
  /** The quotes that close the open string, and the line that opened it. */
  private quote: string | null = null
  private quotedAt = 0
  /** Open brackets. */
  private depth = 0
  /** First non-blank line after the last fence. */
  private head: number | null = null

  constructor(
    private readonly lines: readonly string[],
    private readonly fences: ReadonlySet<number>,
    private readonly taken: Taken,
  ) {}

  find(): CodeBlock[] {
    for (const [i, line] of this.lines.entries()) {
      // A docstring may contain a fence.
      if (this.fences.has(i) && this.quote === null) {
        this.close()
        this.head = null
      } else if (line.trim() !== '' && !this.taken(i + 1)) {
        this.head ??= i
        this.read(i, line)
      }
    }
    this.close()
    return this.found
  }

  private read(i: number, line: string): void {
    if (this.quote !== null) return this.readInString(i, line)
    const indent = line.search(/\S/)
    if (this.begin !== null) {
      const inside = this.depth > 0 || indent > this.indent || (indent === this.indent && isStatement(line))
      if (!inside) this.close()
    }
    if (this.begin === null) {
      if (!BEGINS.test(line.trimStart())) return
      this.begin = this.beginAt(i, indent)
      this.indent = indent
    }
    this.last = i
    this.count(i, line)
  }

  /** A program in a fenced block starts at the top of the block if its first lines are statements too. */
  private beginAt(i: number, indent: number): number {
    const head = this.head ?? i
    for (let k = head; k < i; k++) {
      const line = this.lines[k]!
      if (line.trim() !== '' && line.search(/\S/) <= indent && !isStatement(line)) return i
    }
    return i - head > 200 || this.found.some((b) => b.endLine - 1 > head) ? i : head
  }

  private readInString(i: number, line: string): void {
    const close = line.indexOf(this.quote!)
    if (close < 0) return
    this.quote = null
    this.last = i
    this.count(i, line.slice(close + 3))
  }

  /** Tracks the brackets and strings of a line. */
  private count(i: number, line: string): void {
    // A regex with an alternative per character would overflow on a line of megabytes.
    const code = line
      .slice(0, LONGEST)
      .replace(/"""|'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (s) => (s.length === 3 ? s : '""'))
    const quotes = code.replace(/#.*$/, '').match(QUOTES) ?? []
    if (quotes.length % 2 === 1) {
      this.quote = quotes.at(-1)!
      this.quotedAt = i
      return
    }
    for (const c of code.replace(/#.*$/, '')) {
      if ('([{'.includes(c)) this.depth++
      else if (')]}'.includes(c)) this.depth = Math.max(0, this.depth - 1)
    }
  }

  private close(): void {
    if (this.begin !== null) {
      // An unterminated string is not part of the program.
      const last = this.quote === null ? this.last : this.quotedAt - 1
      if (last >= this.begin) {
        const text = this.lines.slice(this.begin, last + 1)
        const cut = (l: string): string => (l.slice(0, this.indent).trim() === '' ? l.slice(this.indent) : l)
        this.found.push({ line: this.begin + 1, endLine: last + 2, text: `${text.map(cut).join('\n')}\n` })
      }
    }
    this.begin = null
    this.quote = null
    this.depth = 0
  }
}
