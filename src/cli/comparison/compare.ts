/** `fusescope compare`: two graphs, and the matches that only one of them has. */
import { formatProblem } from '../../fx'
import type { TextFile } from '../../workspace/types'
import type { Command } from '../args'
import { pythonLine, readGraphFile, readPatterns } from '../inputs'
import { bad, show, writeJson } from '../output'
import { DONE } from '../status'
import { comparedCaptures } from './captures'
import { jsonOf, linesOf } from './report_text'
import { startSession } from '../calls'

export async function compareCommand(command: Extract<Command, { kind: 'compare' }>): Promise<number> {
  const captured = comparedCaptures(command)
  if (captured !== null) return captured
  const graphs: TextFile[] = []
  for (const name of [command.old, command.new]) {
    const graph = readGraphFile(name)
    if (!graph.ok) return bad(formatProblem(graph.error))
    graphs.push({ ...graph.value, name })
  }
  const [old, now] = graphs as [TextFile, TextFile]
  const files = readPatterns(command.patterns)
  if (!files.ok) return bad(formatProblem(files.error))
  // A workspace's graphs have different names.
  const other = old.name === now.name ? { ...old, name: `${old.name} (old)` } : old
  const passes = command.passes.length > 0 ? { passes: command.passes } : {}
  const options = { timeLimitS: 3600 }
  const session = await startSession()
  const { report } = session.analyze({
    name: now.name,
    graph: now,
    graphs: [other],
    files: files.value,
    ...passes,
    options,
  })
  if (report.python) return bad(pythonLine(report.python, files.value))
  const compared = session.compare(other.name, 'old')
  if (command.json) writeJson(jsonOf(compared))
  else show(1, linesOf(compared))
  return DONE
}
