/** `fusescope lower`: traces a graph as fwd_only traces a function. */
import { messageOf } from '../../base/error_message'
import { createSession } from '../../engine/session/session'
import { formatProblem } from '../../fx'
import { nodeAssets } from '../../python/node_assets'
import type { Command } from '../args'
import { pythonLine, readInputs, workspaceOf } from '../inputs'
import { complain, writeDocument } from '../output'
import { BAD_INPUT, DONE } from '../status'

export async function lowerCommand(command: Extract<Command, { kind: 'lower' }>): Promise<number> {
  const inputs = readInputs({ ...command, shapes: null, passes: [], calls: [], json: false })
  if (!inputs.ok) {
    complain(formatProblem(inputs.error))
    return BAD_INPUT
  }
  const session = createSession(nodeAssets())
  await session.ready
  const { report } = session.analyze(workspaceOf({ passes: [] }, inputs.value))
  if (report.python) {
    complain(pythonLine(report.python, inputs.value.files))
    return BAD_INPUT
  }
  try {
    writeDocument(`${session.lower()}\n`)
    return DONE
  } catch (e) {
    complain(`${command.graph}: ${messageOf(e)}`)
    return BAD_INPUT
  }
}
