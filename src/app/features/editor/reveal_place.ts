/** Opens a file of the workspace at a line, with the caret in the editor. */
import { editorLoaded } from '../../commands/surfaces'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'

/** @param column from 1 */
export async function revealPlace(file: string, line: number, column = 1): Promise<void> {
  useWorkspace.getState().open(file)
  useView.getState().setPane('code')
  const surface = await editorLoaded()
  // The tab comes to the front with the next render.
  requestAnimationFrame(() => surface.moveTo(line, column))
}
