/** Reads the pasted text and finds its lines on the graph; again when either changes. */
import { useDeferredValue, useMemo } from 'react'
import { locate, parseDebugOutput, type LocatedDebugLine } from '../../../engine/report/debug_output'
import type { GraphView, Report } from '../../../engine/protocol'

export function useLocated(text: string, graph: GraphView | null, report: Report | null): LocatedDebugLine[] | null {
  // A long paste is read when typing pauses.
  const settled = useDeferredValue(text)
  const lines = useMemo(() => (settled.trim() === '' ? null : parseDebugOutput(settled)), [settled])
  return useMemo(() => lines && graph && locate(lines, graph, report?.passes ?? []), [lines, graph, report])
}
