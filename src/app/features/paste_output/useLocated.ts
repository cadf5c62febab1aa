/** Parses the pasted text and locates its lines on the graph, again after each change of either. */
import { useDeferredValue, useMemo } from 'react'
import { locate, parseDebugOutput, type LocatedDebugLine } from '../../../engine/report/debug_output'
import type { GraphView, Report } from '../../../engine/protocol'

export function useLocated(text: string, graph: GraphView | null, report: Report | null): LocatedDebugLine[] | null {
  // A long paste is parsed when typing pauses.
  const settled = useDeferredValue(text)
  const lines = useMemo(() => (settled.trim() === '' ? null : parseDebugOutput(settled)), [settled])
  return useMemo(() => lines && graph && locate(lines, graph, report?.passes ?? []), [lines, graph, report])
}
