/** The stored edits of an example, of a link or of the user's own workspace. */
import type { Draft } from '../../workspace/library'
import { mayBeKept } from './kept_ids'
import { isUnsaved, keptDraft, problemText } from './saver'
import { useView } from './view_store'

/** Null: there are none. A damaged workspace is reported in a toast, and stays stored. */
export async function draftOf(id: string): Promise<Draft | null> {
  if (!mayBeKept(id) && !isUnsaved(id)) return null
  const draft = await keptDraft(id)
  if (draft.ok) return draft.value
  useView.getState().toast(problemText(draft.error), { tone: 'bad' })
  return null
}
