/** The table of pass folders by graphs: a row for each pass, a cell for each graph, and its changes since an earlier table. */
import type { FolderCounts, FolderResult, TableCell, TableChange, TableRow } from './types'

/** Rows in the order of the folders, then in the order in which their passes first appear. */
export function tableRows(results: readonly FolderResult[]): TableRow[] {
  return results.flatMap(({ folder, counts }): TableRow[] => {
    const patterns = new Map<string, number>()
    for (const c of counts)
      for (const p of c?.passes ?? []) patterns.set(p.pass, Math.max(patterns.get(p.pass) ?? 0, p.patterns))
    const row = (pass: string | null, number: number): TableRow => ({
      folder,
      pass,
      patterns: number,
      cells: counts.map((c) => c && cellOf(c, pass)),
    })
    return patterns.size === 0 ? [row(null, 0)] : [...patterns].map(([pass, number]) => row(pass, number))
  })
}

function cellOf({ failure, passes }: FolderCounts, pass: string | null): TableCell {
  const own = passes.find((p) => p.pass === pass)
  if (failure !== null || !own) return { count: null, unshaped: 0, failure: failure ?? ABSENT }
  const { count, unshaped, error } = own
  return { count: error === null ? count : null, unshaped, failure: error }
}

/** The failure of a cell in which no pass of this name is registered. */
export const ABSENT = 'No pass of this name is registered for this graph.'

/** One side of a comparison. */
export interface ComparedTable {
  graphs: readonly string[]
  rows: readonly TableRow[]
}

/** Cells that differ, for folders and graphs that both tables have and that have run in both. */
export function tableChanges(before: ComparedTable, after: ComparedTable): TableChange[] {
  const folders = new Set(before.rows.map((r) => r.folder))
  const known = new Set(before.graphs)
  const earlier = cellsOf(before)
  const now = cellsOf(after)
  const changes: TableChange[] = []
  for (const { folder, pass, cells } of after.rows) {
    if (!folders.has(folder)) continue
    cells.forEach((cell, i) => {
      const graph = after.graphs[i]!
      if (!cell || !known.has(graph)) return
      const was = earlier.get(keyOf(folder, pass, graph))
      const change = was === undefined ? isNew(cell) : was && changeOf(was, cell)
      if (change) changes.push({ folder, pass, graph, ...change })
    })
  }
  const shown = new Set(after.graphs)
  const left = new Set(after.rows.filter((r) => r.cells.some((c) => c !== null)).map((r) => r.folder))
  for (const { folder, pass, cells } of before.rows) {
    if (!left.has(folder)) continue
    cells.forEach((cell, i) => {
      const graph = before.graphs[i]!
      if (cell?.count && shown.has(graph) && !now.has(keyOf(folder, pass, graph)))
        changes.push({ folder, pass, graph, kind: 'gone', before: cell.count, after: null })
    })
  }
  return changes
}

type Difference = Pick<TableChange, 'kind' | 'before' | 'after'>

const isNew = ({ count, failure }: TableCell): Difference | null =>
  count || failure !== null ? { kind: failure === null ? 'new' : 'failing', before: null, after: count } : null

function changeOf(was: TableCell, cell: TableCell): Difference | null {
  const [before, after] = [was.count, cell.count]
  if ((was.failure === null) !== (cell.failure === null))
    return { kind: cell.failure === null ? 'mended' : 'failing', before, after }
  return before === after ? null : { kind: 'count', before, after }
}

function cellsOf({ graphs, rows }: ComparedTable): Map<string, TableCell | null> {
  return new Map(
    rows.flatMap(({ folder, pass, cells }) => cells.map((c, i) => [keyOf(folder, pass, graphs[i]!), c] as const)),
  )
}

const keyOf = (folder: string, pass: string | null, graph: string): string => `${folder}\n${pass ?? ''}\n${graph}`

/** `+3`, `−1`, `failing`, `runs again`, `new`, `gone`. */
export function changeText({ kind, before, after }: Difference): string {
  if (kind === 'failing') return 'newly failing'
  if (kind === 'mended') return 'runs again'
  if (kind === 'gone') return 'gone'
  if (kind === 'new') return `new: ${after}`
  if (before === null || after === null) return `${before ?? '?'} → ${after ?? '?'}`
  return after > before ? `+${after - before}` : `−${before - after}`
}
