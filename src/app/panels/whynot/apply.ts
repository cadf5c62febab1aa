/** Puts a fix into the person's files, as one change that can be undone. */
import type { Fix, Report } from '../../../engine/protocol'
import { editorLoaded } from '../../commands/surfaces'
import { editsByFile, stillFits } from '../../model/why_not_edits'
import { workspaceOf } from '../../stores/explained'
import { useView } from '../../stores/view'
import { useWorkspace } from '../../stores/workspace'

/** Whether the fix's files read as they did when it was made. */
export const fits = (fix: Fix, report: Report): boolean =>
  stillFits(fix.edits, workspaceOf(report), useWorkspace.getState().workspace)

export async function applyFix(fix: Fix, report: Report): Promise<void> {
  const editor = await editorLoaded()
  const { toast } = useView.getState()
  const { workspace } = useWorkspace.getState()
  // Checked again: the person may have typed while the editor loaded.
  const undo = fits(fix, report) ? editor.apply(editsByFile(workspace, fix.edits)) : null
  if (undo) toast(`Applied: ${fix.title}.`, { action: { label: 'Undo', run: undo } })
  else toast('The text has changed since this fix was made. Nothing was applied.', { tone: 'bad' })
}
