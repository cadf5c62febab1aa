/** The graphs of several captures, ranks or runs of one program, as one table: captures that did the same with a graph are one row. */
import type { CapturedRun } from './runs'
import type { Capture } from './records'

export interface CaptureRuns {
  capture: Capture
  runs: readonly CapturedRun[]
}

export interface AlikeRuns {
  /** Of the first capture. */
  run: CapturedRun
  /** Indices of the captures, in order. */
  captures: number[]
  /** Another capture did something else with this graph, or lacks it. */
  differs: boolean
}

/** In the order of the first capture that has a graph; the captures of one graph follow each other. */
export function alikeRuns(all: readonly CaptureRuns[]): AlikeRuns[] {
  const graphs = new Map<string, Map<string, AlikeRuns>>()
  for (const [i, { capture, runs }] of all.entries()) {
    const seen = new Map<string | null, number>()
    for (const run of runs) {
      // Numbers of runs differ where a rank compiled one graph more.
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

/** `rank 1`; of a process without a rank, the file's name. */
export const whoOf = ({ header, name }: Capture): string => (header.rank === null ? name : `rank ${header.rank}`)

/** Equal for two captures in which PyTorch did the same with a graph. */
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
