/** `fusescope export`: a workspace as text that runs on a real PyTorch. */
import { messageOf } from '../base/error_message'
import { createSession } from '../engine/session/session'
import { formatProblem } from '../fx'
import { nodeAssets } from '../python/node_assets'
import type { Command } from './args'
import { capturedWorkspace } from './captures/file'
import { pythonLine, readWorkspaceWithGraph } from './inputs'
import { complain, writeDocument } from './output'
import { BAD_INPUT, DONE } from './status'

export async function exportCommand(command: Extract<Command, { kind: 'export' }>): Promise<number> {
  const workspace = capturedWorkspace(command.workspace, command.run) ?? readWorkspaceWithGraph(command.workspace)
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
    writeDocument(text)
    for (const note of notes) complain(note)
    return DONE
  } catch (e) {
    complain(`${command.workspace}: ${messageOf(e)}`)
    return BAD_INPUT
  }
}
