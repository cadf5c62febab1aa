/**
 * Search over the sections of all pages: every word of the query occurs in the section, in its heading or in the title of
 * its page. A scan of 400 sections takes about a millisecond, so there is no index and no library.
 */
import type { Block, Span } from '../markdown/markdown'
import { plainText, sectionsOf } from './anchors'
import type { DocsPlace } from './address'

/** A section in the form that is searched. */
export interface SearchEntry {
  place: DocsPlace
  title: string
  /** Empty for the text before the first heading of a page. */
  heading: string
  text: string
}

export interface SearchResult extends SearchEntry {
  /** The text around the first word found. */
  excerpt: string
}

/** Sections in the order of the pages. */
export function entriesOf(pages: ReadonlyMap<string, readonly Block[]>): SearchEntry[] {
  return [...pages].flatMap(([page, blocks]) => {
    const sections = sectionsOf(blocks)
    const title = plainText(sections[0]?.heading ?? [])
    return sections.map((s, i) => ({
      place: { page, anchor: s.anchor },
      title,
      heading: i === 0 ? '' : plainText(s.heading),
      text: s.blocks.map(textOf).join(' '),
    }))
  })
}

function textOf(block: Block): string {
  if (block.kind === 'code') return block.text
  const cells =
    block.kind === 'list' ? block.items : block.kind === 'table' ? [...block.head, ...block.rows.flat()] : [block.text]
  return cells.map((c: Span[]) => plainText(c)).join(' ')
}

const MAX_RESULTS = 20
const WORD = { title: 8, heading: 6, text: 1, whole: 2 }

/** Results in order of relevance: matches in titles and headings first, whole words before parts. */
export function search(entries: readonly SearchEntry[], query: string): SearchResult[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found = entries.flatMap((entry) => {
    const scores = words.map((word) => scoreOf(entry, word))
    return scores.includes(0) ? [] : [{ entry, score: scores.reduce((a, b) => a + b, 0) }]
  })
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => ({ ...entry, excerpt: excerptOf(entry.text, words) }))
}

/** 0: the word does not occur. */
function scoreOf({ title, heading, text }: SearchEntry, word: string): number {
  const value = (part: string, weight: number): number => {
    const lower = part.toLowerCase()
    if (!lower.includes(word)) return 0
    return (
      weight *
      (new RegExp(`(^|[^\\p{L}\\p{N}_-])${escaped(word)}($|[^\\p{L}\\p{N}_-])`, 'u').test(lower) ? WORD.whole : 1)
    )
  }
  // A section without a heading is the start of its page.
  return value(title, heading === '' ? WORD.title : 1) + value(heading, WORD.heading) + value(text, WORD.text)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const BEFORE = 40
const LENGTH = 160

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const at = words.map((w) => lower.indexOf(w)).filter((i) => i >= 0)
  const start = Math.max(0, Math.min(...(at.length > 0 ? at : [0])) - BEFORE)
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1
  const end = from + LENGTH < text.length ? Math.max(text.lastIndexOf(' ', from + LENGTH), from + 1) : text.length
  return `${from > 0 ? '…' : ''}${text.slice(from, end).trim()}${end < text.length ? ' …' : ''}`
}
