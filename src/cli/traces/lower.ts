/** `fusescope lower`: traces a graph as fwd_only traces a function. */
import { messageOf } from '../../base/error_message'
import { formatProblem } from '../../fx'
import type { Command } from '../args'
import { pythonLine, readInputs, workspaceOf } from '../inputs'
import { bad, writeDocument } from '../output'
import { DONE } from '../status'
import { startSession } from '../calls'

export async function lowerCommand(command: Extract<Command, { kind: 'lower' }>): Promise<number> {
  const inputs = readInputs({ ...command, shapes: null, passes: [], calls: [], json: false })
  if (!inputs.ok) return bad(formatProblem(inputs.error))
  const session = await startSession()
  const { report } = session.analyze(workspaceOf({ passes: [] }, inputs.value))
  if (report.python) return bad(pythonLine(report.python, inputs.value.files))
  try {
    writeDocument(`${session.lower()}\n`)
    return DONE
  } catch (e) {
    return bad(`${command.graph}: ${messageOf(e)}`)
  }
}
