/**
 * The part of Markdown that docs/systems is written in, as plain data: headings, paragraphs, lists, tables, fenced code,
 * and in their text `code`, **strong** and [links](to). Anything else stands there as it was typed.
 */
export type Span = { kind: 'text' | 'code' | 'strong'; text: string } | { kind: 'link'; text: string; to: string }

export type Block =
  | { kind: 'heading'; level: number; text: Span[] }
  | { kind: 'paragraph'; text: Span[] }
  | { kind: 'list'; ordered: boolean; items: Span[][] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][]; right: boolean[] }
  | { kind: 'code'; text: string }

const HEADING = /^(#{1,3}) (.*)$/
const ITEM = /^(?:[-*]|(\d+)\.) (.*)$/
const FENCE = /^```/
const ROW = /^\|.*\|\s*$/

export function readMarkdown(markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let at = 0
  /** The lines from here on for which `goes` holds. */
  const take = (goes: (line: string) => boolean): string[] => {
    const from = at
    while (at < lines.length && goes(lines[at]!)) at++
    return lines.slice(from, at)
  }
  const prose = (line: string): boolean =>
    line.trim() !== '' && !HEADING.test(line) && !ITEM.test(line) && !FENCE.test(line) && !ROW.test(line)
  while (at < lines.length) {
    const line = lines[at]!
    const heading = HEADING.exec(line)
    if (line.trim() === '') at++
    else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]!.length, text: readSpans(heading[2]!) })
      at++
    } else if (FENCE.test(line)) {
      at++
      blocks.push({ kind: 'code', text: take((l) => !FENCE.test(l)).join('\n') })
      at++
    } else if (ITEM.test(line)) blocks.push(readList())
    else if (ROW.test(line)) blocks.push(readTable(take((l) => ROW.test(l))))
    else blocks.push({ kind: 'paragraph', text: readSpans(joined(take(prose))) })
  }
  return blocks

  function readList(): Block {
    const ordered = ITEM.exec(lines[at]!)![1] !== undefined
    const items: Span[][] = []
    for (let item; (item = ITEM.exec(lines[at] ?? '')) && (item[1] !== undefined) === ordered;) {
      at++
      items.push(readSpans(joined([item[2]!, ...take((l) => /^\s+\S/.test(l))])))
    }
    return { kind: 'list', ordered, items }
  }
}

/** @param rows the first is the head, the second says which columns stand right */
function readTable(rows: readonly string[]): Block {
  const [head = [], marks = [], ...rest] = rows.map((row) =>
    row
      .trim()
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  return {
    kind: 'table',
    head: head.map(readSpans),
    rows: rest.map((row) => row.map(readSpans)),
    right: head.map((_, i) => marks[i]?.endsWith(':') ?? false),
  }
}

const joined = (lines: readonly string[]): string => lines.map((l) => l.trim()).join(' ')

const SPAN = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g

function readSpans(text: string): Span[] {
  const spans: Span[] = []
  let end = 0
  for (const m of text.matchAll(SPAN)) {
    if (m.index > end) spans.push({ kind: 'text', text: text.slice(end, m.index) })
    if (m[1] !== undefined) spans.push({ kind: 'code', text: m[1] })
    else if (m[2] !== undefined) spans.push({ kind: 'strong', text: m[2] })
    else spans.push({ kind: 'link', text: m[3]!.replaceAll('`', ''), to: m[4]! })
    end = m.index + m[0].length
  }
  if (end < text.length) spans.push({ kind: 'text', text: text.slice(end) })
  return spans
}

/** What is said of the whole page: its first heading. */
export function titleOf(blocks: readonly Block[]): string {
  const first = blocks.find((b) => b.kind === 'heading')
  return first?.kind === 'heading' ? first.text.map((s) => s.text).join('') : ''
}
