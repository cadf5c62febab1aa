/** `fusescope export`: a workspace as text that runs on a real PyTorch. */
import { messageOf } from '../base/error_message'
import { formatProblem } from '../fx'
import type { Command } from './args'
import { capturedWorkspace } from './captures/file'
import { pythonLine, readWorkspaceWithGraph } from './inputs'
import { bad, complain, writeDocument } from './output'
import { DONE } from './status'
import { startSession } from './calls'

export async function exportCommand(command: Extract<Command, { kind: 'export' }>): Promise<number> {
  const workspace = capturedWorkspace(command.workspace, command.run) ?? readWorkspaceWithGraph(command.workspace)
  if (!workspace.ok) return bad(formatProblem(workspace.error))
  const session = await startSession()
  const { report } = session.analyze(workspace.value)
  if (report.python) return bad(pythonLine(report.python, workspace.value.files))
  try {
    const { text, notes } = session.exported(command.as)
    writeDocument(text)
    for (const note of notes) complain(note)
    return DONE
  } catch (e) {
    return bad(`${command.workspace}: ${messageOf(e)}`)
  }
}
