/** `fusescope export`: a workspace as text that runs on a real PyTorch. */
import { messageOf } from '../base/error_message'
import { createSession } from '../engine/session/session'
import { formatProblem } from '../fx'
import { nodeAssets } from '../python/node_assets'
import type { Command } from './args'
import { capturedWorkspace } from './captures/file'
import { pythonLine, readWorkspace } from './inputs'
import { complain, write } from './output'
import { BAD_INPUT, DONE } from './status'

export async function exportCommand(command: Extract<Command, { kind: 'export' }>): Promise<number> {
  const workspace = capturedWorkspace(command.workspace, command.run) ?? readWorkspace(command.workspace)
  if (!workspace.ok) {
    complain(formatProblem(workspace.error))
    return BAD_INPUT
  }
  const session = createSession(nodeAssets())
  await session.ready
  const { report } = session.analyze(workspace.value)
  if (report.python) {
    complain(pythonLine(report.python, workspace.value.files))
    return BAD_INPUT
  }
  try {
    const { text, notes } = session.exported(command.as)
    write(1, text)
    for (const note of notes) complain(note)
    return DONE
  } catch (e) {
    complain(`${command.workspace}: ${messageOf(e)}`)
    return BAD_INPUT
  }
}
