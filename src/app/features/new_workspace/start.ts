/** Opens a new workspace from a template; the toast opens the last one again. */
import { openOwn } from '../../session/open_workspace'
import { closeOverlay, toastUndo } from '../../session/view_store'
import { workspaceOf, type Template } from './templates'

export function startFrom(template: Template, name: string): void {
  const workspace = workspaceOf(template, name)
  closeOverlay()
  const undo = openOwn({ workspace, openFile: workspace.files.at(-1)?.name ?? workspace.graph.name })
  const text = template.files.length === 0 ? 'An empty workspace. Paste or drop a graph.' : `${workspace.name} opened.`
  toastUndo(text, undo)
}
