/**
 * The graphs of several captures (ranks or runs of one program) as one table: captures with equal results for a graph share a row.
 */
import type { CapturedRun } from './runs'
import type { Capture } from './records'

export interface CaptureRuns {
  capture: Capture
  runs: readonly CapturedRun[]
}

export interface AlikeRuns {
  /** The name in the first capture. */
  run: CapturedRun
  /** Indices of the captures, in order. */
  captures: number[]
  /** True if another capture has a different result for this graph, or lacks it. */
  differs: boolean
}

/** In the order of the first capture that has each graph; the captures of one graph are adjacent. */
export function alikeRuns(all: readonly CaptureRuns[]): AlikeRuns[] {
  const graphs = new Map<string, Map<string, AlikeRuns>>()
  for (const [i, { capture, runs }] of all.entries()) {
    const seen = new Map<string | null, number>()
    for (const run of runs) {
      // Run numbers differ if a rank compiled one more graph.
      const nth = (seen.get(run.compile) ?? 0) + 1
      seen.set(run.compile, nth)
      const at = `${run.compile} ${nth}`
      const outcomes = graphs.get(at) ?? new Map<string, AlikeRuns>()
      graphs.set(at, outcomes)
      const key = outcomeOf(capture, run)
      const known = outcomes.get(key)
      if (known) known.captures.push(i)
      else outcomes.set(key, { run, captures: [i], differs: false })
    }
  }
  return [...graphs.values()].flatMap((outcomes) => {
    const rows = [...outcomes.values()]
    return rows.map((row) => ({ ...row, differs: rows.length > 1 || row.captures.length < all.length }))
  })
}

/** `rank 1`; the file's name for a process without a rank. */
export const whoOf = ({ header, name }: Capture): string => (header.rank === null ? name : `rank ${header.rank}`)

/** Equal for two captures in which PyTorch had the same results for a graph. */
function outcomeOf(capture: Capture, run: CapturedRun): string {
  const attempts = capture.applications
    .filter((a) => a.run === run.run)
    .map(({ count, error, attempts }) => [
      count,
      error,
      attempts.map((a) => [
        capture.entries.get(a.entry)?.text,
        a.node,
        a.reason,
        a.second?.reason,
        a.dropped,
        a.applied,
        a.raised,
      ]),
    ])
  return JSON.stringify([run.nodes, run.calls, run.passes, attempts])
}
