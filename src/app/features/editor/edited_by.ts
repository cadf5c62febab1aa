/** Tells whether the page's user wrote the text that an edit inserts: live mode runs such edits in a process (docs/live.md). */
import type { editor } from 'monaco-editor/editor/editor.api.js'
import type { EditedBy } from '../../../workspace/code_origin'

/**
 * Sources of Monaco's edits that insert no text from outside the workspace: keys, commands such as indenting, completions,
 * formatting, and the edits of an applied fix. A paste is not one of them, nor is any source that a later Monaco adds.
 */
const BY_USER = new Set([
  'type',
  'compositionType',
  'compositionEnd',
  'cut',
  'executeCommand',
  'executeCommands',
  'suggest',
  'snippet',
  'formatEditsCommand',
  'pushEditOperation',
])

/** Nobody types so many characters at once: the browser inserted them, for a tool or a drop. */
export const LONG = 1000

/** Facts that Monaco gives about an edit beyond its types. */
interface Reasons {
  detailedReasons?: readonly { getType(): string }[]
}

/** @param wasOwn true if the text that undo or redo restores was the user's own */
export function editedBy(change: editor.IModelContentChangedEvent, wasOwn: boolean): EditedBy {
  if (change.isUndoing || change.isRedoing) return wasOwn ? 'own' : 'elsewhere'
  const { detailedReasons = [] } = change as Reasons
  const types = detailedReasons.map((r) => r.getType())
  const inserted = types.includes('type') && change.changes.some((c) => c.text.length > LONG)
  return types.length > 0 && types.every((t) => BY_USER.has(t)) && !inserted ? 'user' : 'elsewhere'
}
