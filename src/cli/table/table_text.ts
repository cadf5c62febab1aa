/** The table as lines: numbered graphs, a block for each folder, failures and changes as sentences. */
import { count } from '../../base/english'
import { changeText, type ComparedTable } from '../../engine/table/table'
import { named } from '../output'
import type { FolderResult, TableCell, TableChange } from '../../engine/table/types'

export function tableLines(
  { graphs, rows }: ComparedTable,
  results: readonly FolderResult[],
  changes: readonly TableChange[] | null,
): string[] {
  const keys = graphs.map((_, i) => String(i + 1))
  const texts = rows.map((r) => r.cells.map(cellText))
  const width = Math.max(...keys.map((k) => k.length), ...texts.flat().map((t) => t.length))
  const cells = (all: readonly string[]): string => all.map((t) => t.padStart(width + 1)).join('')
  const lines = graphs.map((name, i) => `${keys[i]!.padStart(width)}  ${name}`)
  for (const { folder, counts } of results) {
    const own = rows.flatMap((row, i) => (row.folder === folder ? [{ row, text: texts[i]! }] : []))
    const labels = own.map(({ row }) => (row.pass === null ? '(no pass)' : named(row.pass)))
    const wide = Math.max(folder.length, ...labels.map((l) => l.length))
    lines.push('', folder.padEnd(wide) + cells(keys))
    own.forEach(({ text }, i) => lines.push(labels[i]!.padEnd(wide) + cells(text)))
    lines.push(...failures(graphs, counts, own))
  }
  if (rows.some((r) => r.cells.some((c) => c?.unshaped && !c.count)))
    lines.push('', '?: all nodes align, and the graph lacks the shapes that decide')
  if (changes) lines.push('', ...changeLines(changes))
  return lines
}

function cellText(cell: TableCell | null): string {
  if (!cell) return ''
  if (cell.failure !== null) return '!'
  return String(cell.count === null ? '✓' : cell.count || (cell.unshaped > 0 ? '?' : '·'))
}

/** Each sentence once, with the number of graphs that it applies to. */
function failures(
  graphs: readonly string[],
  counts: FolderResult['counts'],
  own: readonly { row: { pass: string | null; cells: readonly (TableCell | null)[] } }[],
): string[] {
  const found = new Map<string, number[]>()
  const add = (sentence: string, graph: number): void => {
    const at = found.get(sentence) ?? []
    if (!at.includes(graph)) found.set(sentence, [...at, graph])
  }
  for (const { row } of own) row.cells.forEach((c, i) => c?.failure != null && add(`! ${c.failure}`, i))
  counts.forEach((c, i) => c?.notes.forEach((n) => add(`  ${n}`, i)))
  return [...found].map(([sentence, at]) =>
    at.length === graphs.length ? sentence : `${sentence} (on ${at.map((i) => i + 1).join(', ')})`,
  )
}

function changeLines(changes: readonly TableChange[]): string[] {
  if (changes.length === 0) return ['Nothing changed.']
  return [
    `${count(changes.length, 'change')}:`,
    ...changes.map((c) => `  ${c.folder} ${c.pass ?? ''} on ${c.graph}: ${changeText(c)}`),
  ]
}
