/** Opens a capture. Asks which of its graphs to open and, if another capture is open, what happens to that one. */
import { MAX_GRAPHS, type TextFile } from '../../../workspace'
import { graphsOf } from '../../../workspace/graphs'
import { addRun, openRun, readChoice } from '../../files/open_capture'
import { compareWith } from '../../on_screen/compare/requests'
import { toast } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { answerTo, askRunOf, type CapturePlace } from '../../files/question'

/** @param files captures of several ranks or runs; they share one question */
export async function takeCaptures(files: readonly TextFile[]): Promise<void> {
  const choices = files.flatMap(({ text, name }) => readChoice(text, name) ?? [])
  const chosen = choices.length > 0 ? await askRunOf(choices) : null
  if (!chosen) return
  const { choice, run } = chosen
  const { name } = choice.capture
  const place = openCapture() === null ? 'replace' : await askPlace(name)
  if (place === 'replace') return openRun(choice, run)
  // The workspace may have changed while the question was open.
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

/** Name of the shown graph if it comes from a capture, else of the first graph that does; null if none does. */
function openCapture(): string | null {
  const { workspace } = useWorkspace.getState()
  if (workspace.capture) return workspace.graph.name
  return graphsOf(workspace).find((g) => g.capture)?.name ?? null
}
