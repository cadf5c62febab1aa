import { useEffect } from 'react'
import type { NodeView, Report } from '../../../engine/protocol'
import { memoizeLast } from '../../../base/memoize'
import type { Result } from '../../../base/result'
import type { Mark } from '../../canvas'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useGraphOnScreen, type GraphOnScreen, type Side } from '../sides'
import { findNodes, type FindContext } from './find'
import { fetchPatterns, usePatterns } from './patterns'
import { hasPattern } from './query'

const contextOf = ({ graph, view }: GraphOnScreen, side: Side, report: Report | null): FindContext | null =>
  graph && { graph, side, report: view === 'compare' ? null : report, made: view === 'stage' }

/** Every caller gets the same object, so that results can be memoized by it. */
const CONTEXTS = { before: memoizeLast(contextOf), after: memoizeLast(contextOf) }

/** The graph of one canvas as Find sees it; null without a graph. */
export function useFindContext(side: Side): FindContext | null {
  const report = useRun((s) => s.result.value)
  return CONTEXTS[side](useGraphOnScreen(side), side, report)
}

/** The results of the query on one canvas; null while Find is closed or the query is empty. */
export function useResults(side: Side): Result<NodeView[], string> | null {
  const context = useFindContext(side)
  const query = useView((s) => (s.search.open ? s.search.query.trim() : ''))
  const compile = usePatterns((s) => s.compile)
  const pattern = hasPattern(query)
  useEffect(() => {
    if (pattern) void fetchPatterns()
  }, [pattern, query])
  return context && query !== '' ? RESULTS[side](context, query, compile) : null
}

/** The box and the canvas of a side ask for the same result. */
const RESULTS = { before: memoizeLast(findNodes), after: memoizeLast(findNodes) }

const NONE: readonly NodeView[] = []

/** The found nodes of a canvas, none while the query is unreadable. */
export function useFound(side: Side): readonly NodeView[] {
  const results = useResults(side)
  return results?.ok ? results.value : NONE
}

/** Marks found nodes instead of the marks of passes or near misses, because the user looks for these nodes. */
export function withFound(marks: ReadonlyMap<string, Mark>, found: readonly NodeView[]): ReadonlyMap<string, Mark> {
  if (found.length === 0) return marks
  const all = new Map(marks)
  for (const { name } of found) all.set(name, 'found')
  return all
}
