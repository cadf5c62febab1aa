/** Opens a capture: the question which of its graphs, and beside another capture the question what becomes of that one. */
import { MAX_GRAPHS } from '../../../workspace'
import { graphsOf } from '../../../workspace/graphs'
import { addRun, openRun, readChoice } from '../../files/open_capture'
import { compareWith } from '../../on_screen/compare/requests'
import { toast } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { answerTo, askRun, type CapturePlace } from '../../files/question'

export async function takeCapture(text: string, name: string): Promise<void> {
  const choice = readChoice(text, name)
  if (!choice) return
  const run = await askRun(choice)
  if (run === null) return
  const place = openCapture() === null ? 'replace' : await askPlace(name)
  if (place === 'replace') return openRun(choice, run)
  // The workspace may have changed during the question.
  const open = openCapture()
  if (place === null || open === null) return
  const { workspace } = useWorkspace.getState()
  if (graphsOf(workspace).length >= MAX_GRAPHS)
    return toast(`${name} was not added: a workspace holds at most ${MAX_GRAPHS} graphs.`, { tone: 'bad' })
  addRun(choice, run)
  if (place === 'compare') void compareWith(open)
}

const askPlace = (name: string): Promise<CapturePlace | null> =>
  answerTo<CapturePlace>((answer) => ({ kind: 'captures', name, answer }))

/** Name of the shown graph if it comes from a capture, else of the first that does; null if none does. */
function openCapture(): string | null {
  const { workspace } = useWorkspace.getState()
  if (workspace.capture) return workspace.graph.name
  return graphsOf(workspace).find((g) => g.capture)?.name ?? null
}
