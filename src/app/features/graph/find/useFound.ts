import { useMemo } from 'react'
import type { GraphView, NodeView, Report } from '../../../../engine/protocol'
import type { Result } from '../../../../base/result'
import type { Mark } from '../../../canvas'
import { useRun } from '../../../session/run_store'
import { useView } from '../../../session/view_store'
import { findNodes, type FindContext } from './find'

/** The graph of one canvas as Find sees it; null without a graph. */
export function useFindContext(side: 'before' | 'after'): FindContext | null {
  const report = useRun((s) => s.report)
  const graph = useRun((s) => (side === 'after' ? (s.report?.after ?? null) : (s.graph ?? s.report?.graph ?? null)))
  return useMemo(() => (graph ? { graph, side, report } : null), [graph, side, report])
}

/** The results of the query on one canvas; null while Find is closed or the query is empty. */
export function useResults(side: 'before' | 'after'): Result<NodeView[], string> | null {
  const context = useFindContext(side)
  const query = useView((s) => (s.search.open ? s.search.query.trim() : ''))
  return useMemo(
    () => (context && query !== '' ? newest(context.graph, context.report, context.side, query) : null),
    [context, query],
  )
}

/** Keeps the newest result of each side, because the box and the canvas ask for the same one. */
const kept = new Map<
  string,
  { graph: GraphView; report: Report | null; query: string; result: Result<NodeView[], string> }
>()

function newest(
  graph: GraphView,
  report: Report | null,
  side: 'before' | 'after',
  query: string,
): Result<NodeView[], string> {
  const old = kept.get(side)
  if (old && old.graph === graph && old.report === report && old.query === query) return old.result
  const result = findNodes({ graph, side, report }, query)
  kept.set(side, { graph, report, query, result })
  return result
}

const NONE: readonly NodeView[] = []

/** The found nodes of a canvas, none while the query is unreadable. */
export function useFound(side: 'before' | 'after'): readonly NodeView[] {
  const results = useResults(side)
  return results?.ok ? results.value : NONE
}

/** Marks found nodes that have no other mark. */
export function withFound(marks: ReadonlyMap<string, Mark>, found: readonly NodeView[]): ReadonlyMap<string, Mark> {
  if (found.length === 0) return marks
  const all = new Map(marks)
  for (const { name } of found) if (!all.has(name)) all.set(name, 'found')
  return all
}
