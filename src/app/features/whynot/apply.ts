/** Applies a fix to the workspace's files as one undoable change. */
import type { Fix } from '../../../engine/protocol'
import { editorLoaded } from '../../commands/surfaces'
import { editsByFile, stillFits } from './why_not_edits'
import type { Workspace } from '../../../workspace/types'
import { beforeSentEdits } from '../../session/consent'
import { toast, useView, toastUndo } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'

export async function applyFix(fix: Fix, madeFrom: Workspace | null): Promise<void> {
  const editor = await editorLoaded()
  const { workspace } = useWorkspace.getState()
  // Checked again: the user may have typed while the editor loaded.
  const fits = stillFits(fix.edits, madeFrom, workspace)
  if (fits && fix.sent) beforeSentEdits()
  const undo = fits ? editor.apply(editsByFile(workspace, fix.edits)) : null
  if (undo) {
    toastUndo(`Applied: ${fix.title}.`, undo)
    closeAtNextEdit()
  } else toast('The text has changed since this fix was tried. Nothing was applied.', { tone: 'bad' })
}

/** Closes the newest toast at the next change of the texts, because its button would undo another edit. */
function closeAtNextEdit(): void {
  const newest = useView.getState().toasts.at(-1)!.id
  const { version } = useWorkspace.getState()
  const stop = useWorkspace.subscribe((s) => {
    if (s.version === version) return
    useView.getState().dismiss(newest)
    stop()
  })
}
