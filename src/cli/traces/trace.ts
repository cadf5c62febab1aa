/** `fusescope trace`: runs a model's source and prints the graph that torch.fx.symbolic_trace makes of it. */
import { formatProblem, modelSource, tracingProgram } from '../../fx'
import type { Command } from '../args'
import { readText } from '../input'
import { pythonLine, workspaceOf } from '../inputs'
import { bad, showConsole, writeDocument } from '../output'
import { DONE } from '../status'
import { startSession } from '../calls'

/** The line that precedes the graph in the program's output. */
const MARK = '--- graph of fusescope trace ---'
/** A workspace needs a graph. */
const NO_GRAPH = 'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x'

export async function traceCommand({ source, of }: Extract<Command, { kind: 'trace' }>): Promise<number> {
  const text = readText(source, 'the source of a model')
  if (!text.ok) return bad(formatProblem(text.error))
  const found = modelSource(text.value, source.endsWith('.py'))
  const traced = of ?? (found.model === null ? null : `${found.model}()`)
  if (traced === null) return bad(`${source}:1:1: no class with a forward was found; --of names what to trace.`)
  const name = 'model.py'
  const files = [{ name, text: tracingProgram(found, traced, MARK) }]
  const session = await startSession()
  const graph = { name: 'graph.txt', text: NO_GRAPH }
  const { report } = session.analyze(
    workspaceOf({ passes: [] }, { graph, shapes: undefined, inputShapes: undefined, files }),
  )
  const printed = report.console.map((c) => c.text.replace(/\n$/, '')).join('\n')
  const at = printed.indexOf(MARK)
  showConsole(at < 0 ? printed : printed.slice(0, at))
  if (report.python) return bad(`${source}: ${pythonLine(report.python, files, report.causes)}`)
  writeDocument(printed.slice(at + MARK.length + 1).trimEnd())
  return DONE
}
