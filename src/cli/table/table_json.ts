/** The table as JSON, and an earlier table that `--since` names. */
import { err, ok, type Result } from '../../base/result'
import type { ComparedTable } from '../../engine/table/table'
import type { FolderResult, TableCell, TableChange, TableRow } from '../../engine/table/types'
import { jsonOf, readText } from '../input'

export interface TableJson {
  graphs: string[]
  rows: TableRow[]
  /** What a folder leaves out for a graph. */
  notes: { folder: string; graph: string; notes: string[] }[]
  /** Since the table of `--since`; absent without it. */
  changes?: TableChange[]
}

export const tableJson = (
  { graphs, rows }: ComparedTable,
  results: readonly FolderResult[],
  changes: TableChange[] | null,
): TableJson => ({
  graphs: [...graphs],
  rows: [...rows],
  notes: results.flatMap(({ folder, counts }) =>
    counts.flatMap((c, i) => (c?.notes.length ? [{ folder, graph: graphs[i]!, notes: c.notes }] : [])),
  ),
  ...(changes && { changes }),
})

const EXPECTED = 'what fusescope table --json printed'

export function readEarlier(path: string): Result<ComparedTable> {
  const text = readText(path, EXPECTED)
  if (!text.ok) return text
  const value = jsonOf(text.value)
  if (isTable(value)) return ok(value)
  const message = `this is not a table; expected ${EXPECTED}.`
  return err({ file: path, line: 1, column: 1, message, expected: EXPECTED })
}

function isTable(value: unknown): value is ComparedTable {
  const { graphs, rows } = (value ?? {}) as { graphs?: unknown; rows?: unknown }
  if (!Array.isArray(graphs) || !Array.isArray(rows)) return false
  return rows.every(
    (r: Partial<TableRow> | null) =>
      typeof r?.folder === 'string' &&
      (typeof r.pass === 'string' || r.pass === null) &&
      Array.isArray(r.cells) &&
      r.cells.length === graphs.length &&
      r.cells.every(isCell),
  )
}

function isCell(cell: unknown): boolean {
  if (cell === null) return true
  const { count, unshaped, failure } = (cell ?? {}) as { [K in keyof TableCell]?: unknown }
  const isOr = (value: unknown, type: 'number' | 'string'): boolean => value === null || typeof value === type
  return isOr(count, 'number') && typeof unshaped === 'number' && isOr(failure, 'string')
}
