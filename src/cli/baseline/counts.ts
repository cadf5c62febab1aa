/** How often each pass matches on each graph, over all its applications. */
import { ABSENT, type ComparedTable } from '../../engine/table/table'

export interface PassCount {
  folder: string
  /** Null for a folder without a pass. */
  pass: string | null
  graph: string
  /** Null: it raised. */
  count: number | null
  /** One sentence: why there is no count. */
  failure: string | null
}

/**
 * By folder, pass and graph, in the order of the graphs. Applications of one pass (`patterns#2`) are added up, because their number
 * depends on the graph. Stages without a count are left out.
 */
export function countsIn({ graphs, rows }: ComparedTable): Map<string, PassCount> {
  const counts = new Map<string, PassCount>()
  for (const [i, graph] of graphs.entries())
    for (const { folder, pass: application, cells } of rows) {
      const { count, failure } = cells[i] ?? { count: null, failure: null }
      if (failure === ABSENT || (count === null && failure === null)) continue
      const pass = application?.replace(/(?<=.)#\d+$/s, '') ?? null
      const key = keyOf({ folder, pass, graph })
      const known = counts.get(key)
      const failed = failure ?? known?.failure ?? null
      const sum = (known?.count ?? 0) + (count ?? 0)
      counts.set(key, { folder, pass, graph, count: failed === null ? sum : null, failure: failed })
    }
  return counts
}

export const keyOf = ({ folder, pass, graph }: Pick<PassCount, 'folder' | 'pass' | 'graph'>): string =>
  JSON.stringify([folder, pass, graph])
