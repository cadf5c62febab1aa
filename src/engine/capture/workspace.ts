/** A workspace from a capture, and the check that it is unchanged. */
import { hashText } from '../../base/hash'
import { printReadable } from '../../fx'
import type { GraphFile, TextFile, Workspace } from '../../workspace/types'
import { buildGraph } from './graphs'
import type { Capture } from './records'

/**
 * A different key means that the graph or the files have changed. The sender of a capture writes its key too, so the key proves
 * nothing.
 */
const keyOf = ({ graph, files }: Pick<Workspace, 'graph' | 'files'>): string =>
  hashText(JSON.stringify([graph.text, ...files.filter((f) => f.text.trim() !== '').map((f) => [f.name, f.text])]))

/** The capture's name without its ending. */
export const baseOf = ({ name }: Capture): string => name.replace(/\.gz$/, '').replace(/\.fusescope$/, '')

/**
 * The workspace of one run: the graph before its first pass, and the recorded Python files.
 * @param text the capture's text
 */
export function workspaceOfCapture(capture: Capture, text: string, run: number): Workspace {
  const files = [...capture.sources]
  const { capture: recorded, ...graph } = capturedGraph(capture, text, run, { name: 'captured_graph.py.txt', files })
  return { name: baseOf(capture), graph, files, options: { timeLimitS: 10 }, capture: recorded }
}

/**
 * The graph before the first pass of a run, for a workspace.
 * @param files of that workspace: once they are edited, they register the patterns
 */
export function capturedGraph(
  capture: Capture,
  text: string,
  run: number,
  { name, files }: { name: string; files: readonly TextFile[] },
): GraphFile & Required<Pick<GraphFile, 'capture'>> {
  const first = capture.applications.find((a) => a.run === run && a.before !== null && capture.graphs.has(a.before))
  const recorded = first && capture.graphs.get(first.before!)
  const graph = { name, text: recorded ? printReadable(buildGraph(recorded), { stride: true, device: true }) : '' }
  const key = keyOf({ graph, files: [...files] })
  return { ...graph, capture: { name: capture.name, text: recordsOfRun(capture, text, run), run, key } }
}

/** True while the recorded patterns are used: the graph and the files equal the capture's. */
export const isAsRecorded = (workspace: Workspace): boolean => workspace.capture?.key === keyOf(workspace)

/** The lines that a run needs. Source lines are left out, because they are files of the workspace. */
function recordsOfRun(capture: Capture, text: string, run: number): string {
  const applications = new Set(capture.applications.filter((a) => a.run === run).map((a) => a.id))
  const entries = new Set<number>()
  const traces = new Set<number | null>()
  for (const a of capture.applications)
    if (a.run === run) {
      for (const t of a.attempts) traces.add(t.second?.trace ?? null).add(t.replacement)
      for (const id of a.table.flatMap(([, , ids]) => ids)) entries.add(id)
    }
  return text
    .split('\n')
    .filter((line) => {
      const [, record] = /^\s*\{"record":\s*"([\w-]+)"/.exec(line) ?? []
      if (record === undefined) return line.trim() !== ''
      if (record === 'source') return false
      if (record === 'graph') return numberIn(line, 'run') === run
      if (record === 'apply') return applications.has(numberIn(line, 'id'))
      if (record === 'attempt' || record === 'applied') return applications.has(numberIn(line, 'apply'))
      if (record === 'entry') return entries.has(numberIn(line, 'id'))
      return record !== 'trace' || traces.has(numberIn(line, 'id'))
    })
    .join('\n')
}

/** A number among the first fields of a record. */
const numberIn = (line: string, field: string): number =>
  Number(new RegExp(`"${field}":\\s*(\\d+)`).exec(line.slice(0, 200))?.[1] ?? -1)
