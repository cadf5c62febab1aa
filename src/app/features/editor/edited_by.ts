/** Whether the page's user wrote what an edit of the editor inserts: live runs such edits in a process (docs/live.md). */
import type { editor } from 'monaco-editor/editor/editor.api.js'
import type { EditedBy } from '../../../workspace/code_origin'

/**
 * Sources of Monaco's edits that take no text from outside the workspace: keys, commands such as indenting, completions, formatting,
 * and edits of a fix that was pressed. A paste is none of them, nor is a source that a later Monaco adds.
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

/** Nobody types so many characters at once: the browser inserts them, as a tool or a drop does. */
export const LONG = 1000

/** What Monaco knows of an edit beyond its types. */
interface Reasons {
  detailedReasons?: readonly { getType(): string }[]
}

/** @param wasOwn the text that undo or redo brings back was own */
export function editedBy(change: editor.IModelContentChangedEvent, wasOwn: boolean): EditedBy {
  if (change.isUndoing || change.isRedoing) return wasOwn ? 'own' : 'elsewhere'
  const { detailedReasons = [] } = change as Reasons
  const types = detailedReasons.map((r) => r.getType())
  const inserted = types.includes('type') && change.changes.some((c) => c.text.length > LONG)
  return types.length > 0 && types.every((t) => BY_USER.has(t)) && !inserted ? 'user' : 'elsewhere'
}
