// @ts-check
/**
 * Compiles the pages of docs/systems and the texts of lessons at build time: an import of a page yields its blocks as plain data, never HTML.
 */
import { readFileSync } from 'node:fs'
import { Lexer } from 'marked'

/** @typedef {import('../../src/app/features/gallery/markdown').Block} Block */
/** @typedef {import('../../src/app/features/gallery/markdown').Span} Span */
/** @typedef {import('marked').Token} Token */
/** @typedef {import('marked').Tokens.TableCell} Cell */

/**
 * @param {string} markdown
 * @returns {Block[]}
 * @throws Error for Markdown that the guide does not support, such as an image, raw HTML or a quotation
 */
export function readMarkdown(markdown) {
  return Lexer.lex(markdown).flatMap(blockOf)
}

/** @param {Token} token @returns {Block[]} */
function blockOf(token) {
  switch (token.type) {
    case 'space':
      return []
    case 'heading':
      return [{ kind: 'heading', level: token.depth, text: spansOf(token.tokens) }]
    case 'paragraph':
    case 'text':
      return [{ kind: 'paragraph', text: spansOf(token.tokens) }]
    case 'code':
      return [{ kind: 'code', text: token.text }]
    case 'list':
      return [{ kind: 'list', ordered: token.ordered, items: token.items.map(itemOf) }]
    case 'table':
      return [
        {
          kind: 'table',
          head: token.header.map((/** @type {Cell} */ cell) => spansOf(cell.tokens)),
          rows: token.rows.map((/** @type {Cell[]} */ row) => row.map((cell) => spansOf(cell.tokens))),
          right: token.align.map((/** @type {string | null} */ align) => align === 'right'),
        },
      ]
    default:
      throw unsupported(token)
  }
}

/** @param {import('marked').Tokens.ListItem} item @returns {Span[]} */
function itemOf(item) {
  const [only, ...more] = item.tokens
  if (!only || more.length > 0) throw unsupported(item)
  const [block] = blockOf(only)
  if (block?.kind !== 'paragraph') throw unsupported(item)
  return block.text
}

/** @param {Token[] | undefined} tokens @returns {Span[]} */
function spansOf(tokens = []) {
  return joined(
    tokens.map((token) => {
      switch (token.type) {
        case 'text':
        case 'escape':
          return { kind: 'text', text: token.text.replaceAll('\n', ' ') }
        case 'codespan':
          return { kind: 'code', text: token.text }
        case 'strong':
          return { kind: 'strong', text: plain(token) }
        case 'link':
          return { kind: 'link', text: plain(token), to: token.href }
        default:
          throw unsupported(token)
      }
    }),
  )
}

/** @param {Token} token */
const plain = (token) =>
  spansOf('tokens' in token ? token.tokens : [])
    .map((s) => s.text)
    .join('')

/** Merges adjacent text spans. @param {Span[]} spans @returns {Span[]} */
function joined(spans) {
  /** @type {Span[]} */
  const out = []
  for (const span of spans) {
    const last = out.at(-1)
    if (span.kind === 'text' && last?.kind === 'text') last.text += span.text
    else out.push(span)
  }
  return out
}

/** @param {Token} token */
const unsupported = (token) => new Error(`The guide does not draw ${token.type}: ${token.raw.slice(0, 80)}`)

/** @returns {import('vite').Plugin} */
export function markdownPages() {
  return {
    name: 'fusescope-markdown',
    enforce: 'pre',
    load(id) {
      if (!/\/(?:docs\/systems\/[\w-]+|public\/lessons\/[\w-]+\/lesson)\.md$/.test(id)) return null
      this.addWatchFile(id)
      return {
        code: `export default ${JSON.stringify(readMarkdown(readFileSync(id, 'utf8')))}`,
        moduleType: 'js',
        map: null,
      }
    },
  }
}
