/** The addresses within a page: an anchor for each heading, and for each code at the start of a table's row. */
import type { Block, Span } from '../markdown/markdown'

export const plainText = (spans: readonly Span[]): string => spans.map((s) => s.text).join('')

/** "Kinds of causes" → "kinds-of-causes", as GitHub makes the anchors of headings. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** A heading below the title, with the blocks after it; the first section has the title and the blocks before any heading. */
export interface Section {
  /** Empty for the first section. */
  anchor: string
  level: number
  heading: Span[]
  blocks: Block[]
}

/** Splits a page at its headings. Equal headings get `-1`, `-2`, as on GitHub. */
export function sectionsOf(page: readonly Block[]): Section[] {
  const sections: Section[] = []
  const used = new Map<string, number>()
  for (const block of page) {
    if (block.kind !== 'heading') {
      sections.at(-1)?.blocks.push(block)
      continue
    }
    const name = slug(plainText(block.text))
    const times = used.get(name) ?? 0
    used.set(name, times + 1)
    const anchor = sections.length === 0 ? '' : times === 0 ? name : `${name}-${times}`
    sections.push({ anchor, level: block.level, heading: block.text, blocks: [] })
  }
  return sections
}

/** Anchors of a table's row: each code in its first cell, `kwarg-missing`, `--timeout S`. */
const rowAnchors = (cell: readonly Span[]): string[] =>
  cell.flatMap((s) => (s.kind === 'code' && slug(s.text) !== '' ? [slug(s.text)] : []))

/** First cells of the rows of a page's tables. */
const firstCells = (page: readonly Block[]): Span[][] =>
  page.flatMap((b) => (b.kind === 'table' ? b.rows.flatMap((row) => (row[0] ? [row[0]] : [])) : []))

/** Ids of rows by first cell: the first anchor, unless a heading or an earlier row has it. */
export function rowIds(page: readonly Block[]): Map<readonly Span[], string> {
  const used = new Set(sectionsOf(page).map((s) => s.anchor))
  const ids = new Map<readonly Span[], string>()
  for (const cell of firstCells(page)) {
    const [id] = rowAnchors(cell)
    if (id === undefined || used.has(id)) continue
    used.add(id)
    ids.set(cell, id)
  }
  return ids
}

/** The id of the element that an anchor names: a row with several codes has the id of the first. */
export function elementOf(page: readonly Block[], anchor: string): string {
  if (sectionsOf(page).some((s) => s.anchor === anchor)) return anchor
  const cell = firstCells(page).find((c) => rowAnchors(c).includes(anchor))
  return (cell && rowIds(page).get(cell)) ?? anchor
}

/** Every anchor of a page. */
export const anchorsOf = (page: readonly Block[]): Set<string> =>
  new Set([...sectionsOf(page).map((s) => s.anchor), ...firstCells(page).flatMap(rowAnchors)])
