/**
 * Reads Markdown as blocks of plain data. The build compiles pages and lessons with it; the page loads it for lessons that
 * are not part of the site.
 */
import { Lexer, type Token, type Tokens } from 'marked'
import type { Block, Span } from './markdown'

/** @throws Error for unsupported Markdown, such as an image, raw HTML or a quotation */
export function readMarkdown(markdown: string): Block[] {
  checkLimits(markdown)
  return Lexer.lex(markdown).flatMap(blockOf)
}

/** Maximum number of characters between blank lines, and in one paragraph, item or row: the lexer takes quadratic time. */
const [MAX_BLOCK, MAX_PARAGRAPH] = [12_000, 4000]
/** Maximum number of list and quotation marks on one line: the lexer recurses for each. */
const NESTED = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))){20}/

/** Checks the limits, so that reading takes linear time. @throws Error, one sentence */
function checkLimits(markdown: string): void {
  let [block, length] = [0, 0]
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    if (NESTED.test(line)) throw new Error('A line nests lists and quotations more than 20 deep.')
    const isBlank = line.trim() === ''
    // Rows and items usually start a new unit; where they do not, as outside a table, the limit per block applies.
    const begins = isBlank || /^\s*(?:[-*+] |\d+[.)] |\||#|`{3,}|~{3,})/.test(line)
    block = (isBlank ? 0 : block) + line.length
    length = (begins ? 0 : length) + line.length
    if (length > MAX_PARAGRAPH || block > MAX_BLOCK)
      throw new Error(
        `A paragraph has more than ${(length > MAX_PARAGRAPH ? MAX_PARAGRAPH : MAX_BLOCK).toLocaleString('en')} characters.`,
      )
  }
}

function blockOf(token: Token): Block[] {
  switch (token.type) {
    case 'space':
      return []
    case 'heading':
      return [{ kind: 'heading', level: (token as Tokens.Heading).depth, text: spansOf(token.tokens) }]
    case 'paragraph':
    case 'text':
      return [{ kind: 'paragraph', text: spansOf((token as Tokens.Paragraph).tokens) }]
    case 'code':
      return [{ kind: 'code', text: (token as Tokens.Code).text }]
    case 'list': {
      const { ordered, items } = token as Tokens.List
      return [{ kind: 'list', ordered, items: items.map(itemOf) }]
    }
    case 'table': {
      const { header, rows, align } = token as Tokens.Table
      return [
        {
          kind: 'table',
          head: header.map((cell) => spansOf(cell.tokens)),
          rows: rows.map((row) => row.map((cell) => spansOf(cell.tokens))),
          right: align.map((a) => a === 'right'),
        },
      ]
    }
    case 'html':
      // A comment for authors of the file.
      if (/^<!--[\s\S]*?-->\s*$/.test(token.raw)) return []
      throw unsupported(token)
    default:
      throw unsupported(token)
  }
}

function itemOf(item: Tokens.ListItem): Span[] {
  const [only, ...more] = item.tokens
  if (!only || more.length > 0) throw unsupported(item)
  const [block] = blockOf(only)
  if (block?.kind !== 'paragraph') throw unsupported(item)
  return block.text
}

function spansOf(tokens: readonly Token[] = []): Span[] {
  return joined(
    tokens.map((token): Span => {
      switch (token.type) {
        case 'text':
        case 'escape':
          return { kind: 'text', text: (token as Tokens.Text).text.replaceAll('\n', ' ') }
        case 'codespan':
          return { kind: 'code', text: (token as Tokens.Codespan).text }
        case 'strong':
          return { kind: 'strong', text: plain(token) }
        case 'link':
          return { kind: 'link', text: plain(token), to: (token as Tokens.Link).href }
        default:
          throw unsupported(token)
      }
    }),
  )
}

const plain = (token: Token): string =>
  spansOf('tokens' in token ? token.tokens : [])
    .map((s) => s.text)
    .join('')

/** Merges adjacent text spans. */
function joined(spans: readonly Span[]): Span[] {
  const out: Span[] = []
  for (const span of spans) {
    const last = out.at(-1)
    if (span.kind === 'text' && last?.kind === 'text') last.text += span.text
    else out.push(span)
  }
  return out
}

const unsupported = (token: Token | Tokens.ListItem): Error =>
  new Error(`The guide does not draw ${token.type}: ${token.raw.slice(0, 80)}`)
