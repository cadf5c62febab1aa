/**
 * Removes what a terminal, a logger or a web page puts around a dump: escape sequences, prefixes, quote marks, fences, line
 * numbers, entities. The number of lines is kept, so that problems keep their line; `columns` tells how much of each line's start
 * was removed.
 */
import { artifactOf, logPrefix } from './log_prefix'
import { repeatedPrefix } from './repeated_prefix'
import { joinWrapped } from './wrapped_lines'

export interface CleanText {
  text: string
  /** True if torch's logger wrote the text. */
  logged: boolean
  /** Number of characters removed at the start of each line, by line from 0; absent: none. */
  columns: ReadonlyMap<number, number>
  /** The artifact that torch's prefix names (`post_grad_graphs`), by line from 0. */
  artifacts: ReadonlyMap<number, string>
  /** Lines, from 0, that opened or closed a fenced block: a graph never continues past one. */
  fences: ReadonlySet<number>
}

/** Terminal escape sequences: colors and cursor moves, links and titles (OSC), CI systems (APC), character sets. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex
  /\u001b(?:\[[0-9;:?]*[A-Za-z]|[\]_P^][^\u0007\u001b\n]{0,2000}(?:\u0007|\u001b\\)|[()][0-9A-Z])/g
/** Terminal colors in a text that lost the escape characters. */
const BARE_COLORS = /\[(?:0|\d{1,2}(?:;\d{1,3}){0,4})m/g
/** Tags of a web page's code blocks. */
const TAGS = /<\/?(?:pre|code|span|div|p|br|font|b|i|em|strong|samp|td|tr|a)(?:\s[^<>\n]{0,500})?\/?>/gi
const HAS_TAGS = /<\/(?:pre|code|span|samp|td)>|<br ?\/?>[ \t]*$/im
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
}
/** A language name may follow the mark, or (in a chat) the text itself. */
const FENCE = /^(\s*(?:```+|~~~+))(.*)$/
const FENCED = /[(%:]/
const QUOTE = /^ {0,3}>+ ?/
const MAX_QUOTES = 5
/** An indent before torch's own prefix. */
const INDENTED_PREFIX = /^([ ]{1,40})[VDIWEC]\d{4} \d\d:\d\d:\d\d\.\d/
/** With fewer quoted lines, the marks may be Python prompts. */
const MIN_BLOCK = 3
/** A graph inside comments or behind an email's quote bars; a table row both begins and ends with a bar. */
const COMMENT = /^[ \t]{0,12}(?:#|\/\/|\|(?!.*\|\s*$)) ?/
const HEADER = /^(?:class [\w<>]+\(torch\.nn\.Module\):|graph\(.*\):\s*$)/
/** The arrow before the node that a message points to. */
const ARROW = /^[ \t]*(?:-{1,2}|=)>[ \t]*(?=%\w+ : )/
/** A table's frame in a terminal. */
const BOXED = /│\s*opcode\s*│/
/** Inline code of a chat or an issue around a whole function: the closing mark is on a later line. */
const INLINE = /^\s*`(?=(?:def forward\(|class [\w<>]+\(|graph\()[^`]*$)/
/** `12: `, `  12 | `, `12<tab>`. */
const NUMBERED = /^\s*(\d+)(?::| *[|│]|\t| {2,}) ?/

/** @param text any text; in a text of tens of megabytes, only lines that may have such marks are matched against regexes */
export function cleanText(text: string): CleanText {
  const colorless = text.includes('\u001b') ? text.replace(ESCAPES, '') : text
  const plain = colorless.includes('[0m') ? colorless.replace(BARE_COLORS, '') : colorless
  // A lone carriage return ends a line, as in an editor.
  const whole = plain.includes('\r') ? plain.replace(/\r\n?/g, '\n') : plain
  const lines = decode(whole).split('\n')
  const columns = new Map<number, number>()
  const artifacts = new Map<number, string>()
  const fences = new Set<number>()
  const cut = (i: number, length: number): void => {
    if (length === 0) return
    lines[i] = lines[i]!.slice(length)
    columns.set(i, (columns.get(i) ?? 0) + length)
  }
  const indent = commonIndent(lines)
  if (indent > 0) for (const [i, l] of lines.entries()) if (l.trim() !== '') cut(i, indent)
  // A reply can quote a quote: `> > `.
  for (let depth = 0; depth < MAX_QUOTES && mostly(lines, (l) => QUOTE.test(l)); depth++)
    for (const [i, l] of lines.entries()) cut(i, QUOTE.exec(l)?.[0].length ?? 0)
  if (whole.includes('>')) for (const i of quotedBlocks(lines)) cut(i, QUOTE.exec(lines[i]!)![0].length)
  // Comments inside a graph stay.
  const commented = !whole.includes('Graph fragment:') && !lines.some((l) => HEADER.test(l))
  if (commented && mostly(lines, (l) => COMMENT.test(l)))
    for (const [i, l] of lines.entries()) cut(i, COMMENT.exec(l)?.[0].length ?? 0)
  // A log that is indented inside other text.
  for (const [i, l] of lines.entries()) if (l.startsWith(' ')) cut(i, INDENTED_PREFIX.exec(l)?.[1]!.length ?? 0)
  let logged = false
  if (lines.some((l, i) => i < 5000 && mayBePrefixed(l)))
    for (const [i, line] of lines.entries()) {
      if (!mayBePrefixed(line)) continue
      const { length, torch } = logPrefix(line)
      logged ||= torch
      const artifact = length > 0 ? artifactOf(line.slice(0, length)) : null
      if (artifact !== null) artifacts.set(i, artifact)
      cut(i, length)
    }
  if (isNumbered(lines)) for (const [i, l] of lines.entries()) cut(i, NUMBERED.exec(l)?.[0].length ?? 0)
  const repeated = repeatedPrefix(lines)
  if (repeated)
    for (const [i, l] of lines.entries()) {
      const length = repeated.lengthIn(l)
      if (length === 0) continue
      cut(i, length)
      if (repeated.right) lines[i] = lines[i]!.replace(repeated.right, '')
    }
  if (whole.includes('```') || whole.includes('~~~'))
    for (const [i, l] of lines.entries())
      if (FENCE.test(l)) {
        const [, mark = '', rest = ''] = FENCE.exec(l)!
        fences.add(i)
        if (FENCED.test(rest)) cut(i, mark.length)
        else lines[i] = ''
      } else if (/(?:```|~~~)\s*$/.test(l)) lines[i] = l.replace(/(?:```|~~~)\s*$/, '')
  withoutMarks(lines, whole, cut)
  joinWrapped(lines)
  return { text: lines.join('\n'), logged, columns, artifacts, fences }
}

/** Removes what people put around a graph or a node: an arrow, inline code marks, a table frame. */
function withoutMarks(lines: string[], whole: string, cut: (line: number, length: number) => void): void {
  if (whole.includes('> %')) for (const [i, l] of lines.entries()) cut(i, ARROW.exec(l)?.[0].length ?? 0)
  const inline = whole.includes('`') ? lines.findIndex((l) => INLINE.test(l)) : -1
  const end = inline < 0 ? -1 : lines.findIndex((l, i) => i > inline && l.trimEnd().endsWith('`'))
  if (end >= 0) {
    cut(inline, INLINE.exec(lines[inline]!)![0].length)
    lines[end] = lines[end]!.trimEnd().slice(0, -1)
  }
  if (BOXED.test(whole))
    for (const [i, l] of lines.entries())
      if (/^\s*[│┌├└]/.test(l)) lines[i] = /[┌├└]/.test(l) ? '' : l.replaceAll('│', '|')
}

/** The indent that every line has, if a prefix or a quote mark follows it; 0 for text whose graph is itself indented. */
function commonIndent(lines: readonly string[]): number {
  let indent = Infinity
  for (const line of lines) {
    if (line.trim() === '') continue
    indent = Math.min(indent, line.length - line.trimStart().length)
    if (indent === 0) return 0
  }
  if (indent === Infinity) return 0
  return lines.some((l) => mayBePrefixed(l.slice(indent)) || QUOTE.test(l.slice(indent))) ? indent : 0
}

function decode(text: string): string {
  let out = text.startsWith('\ufeff') ? text.slice(1) : text
  if (HAS_TAGS.test(out)) out = out.replace(TAGS, '')
  if (/&(?:lt|gt|quot|#34|#39|#x27|nbsp);/.test(out)) out = out.replace(/&#?\w{2,5};/g, (e) => ENTITIES[e] ?? e)
  if (out.includes('\u00a0')) out = out.replaceAll('\u00a0', ' ')
  if (/[\u201c\u201d]/.test(out)) out = out.replace(/[\u201c\u201d]/g, '"')
  if (!OF_WRITERS.test(out)) return out
  return out
    .replace(SPACES, (indent) => ' '.repeat(indent.length))
    .replace(INVISIBLE, '')
    .replace(MINUS, '-')
    .replace(LIGATURE, (c) => LIGATURES[c.charCodeAt(0) - 0xfb00]!)
}

/** Characters that chats, word processors, wikis and PDFs insert into names and numbers; strings of a graph may contain them. */
const OF_WRITERS = /[\u00ad\u2000-\u200f\u202a-\u202f\u2013\u2060-\u2069\u2212\u3000\ufb00-\ufb04\ufeff]/
/** An indent. */
const SPACES = /^[ \u2000-\u200a\u202f\u3000]+/gm
/** Line-break opportunities and direction marks, inside a name or at a line end. */
const INVISIBLE =
  /(?<=[A-Za-z0-9_.])[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+(?=[A-Za-z0-9_.])|^[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+|[\u200b-\u200f\u202a-\u202e\u2060-\u2069]+$/gm
/** Characters used as the minus sign of a number. */
const MINUS = /(?<=[([,=:] ?|\de)[\u2212\u2013](?=\d)/g
const LIGATURE = /[\ufb00-\ufb04](?=[A-Za-z0-9_])|(?<=[A-Za-z0-9_.])[\ufb00-\ufb04]/g
const LIGATURES = ['ff', 'fi', 'fl', 'ffi', 'ffl']

/** Letters and brackets that can start a prefix; most lines of a graph start with a space. */
function mayBePrefixed(line: string): boolean {
  const c = line.charCodeAt(0)
  if (c === 91 || c === 40) return line.length > 4
  if (c >= 48 && c <= 57) return true
  return (c >= 65 && c <= 90) || line.startsWith('torch')
}

/** Lines, from 0, in blocks of quoted lines inside other text. */
function quotedBlocks(lines: readonly string[]): number[] {
  const quoted: number[] = []
  let begin = 0
  for (let i = 0; i <= lines.length; i++) {
    if (i < lines.length && QUOTE.test(lines[i]!)) continue
    if (i - begin >= MIN_BLOCK) for (let k = begin; k < i; k++) quoted.push(k)
    begin = i + 1
  }
  return quoted
}

/** True if most of the first non-blank lines pass a test. */
function mostly(lines: readonly string[], test: (line: string) => boolean): boolean {
  let all = 0
  let passed = 0
  for (const line of lines) {
    if (line.trim() === '') continue
    all++
    if (test(line)) passed++
    if (all === 400) break
  }
  return all > 1 && passed * 5 > all * 3
}

/** True if most lines begin with a number, and nearly every number follows the one above. */
function isNumbered(lines: readonly string[]): boolean {
  let last: number | null = null
  let all = 0
  let numbered = 0
  let next = 0
  for (const line of lines) {
    if (line.trim() === '') continue
    const number = NUMBERED.exec(line)?.[1]
    if (++all === 400) break
    if (number === undefined) continue
    numbered++
    if (last === null || Number(number) === last + 1) next++
    last = Number(number)
  }
  return numbered > 2 && next * 5 > all * 3 && next * 10 > numbered * 9
}
