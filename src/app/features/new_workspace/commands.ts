/** Opens a new workspace from a template, and the commands for it. */
import { inGroup } from '../../commands/types'
import { openOwn } from '../../session/open_workspace'
import { closeOverlay, toastUndo, useView } from '../../session/view_store'
import { TEMPLATES, workspaceOf, type Template } from './templates'

/** The toast can reopen the last workspace. */
export function startFrom(template: Template, name: string): void {
  const workspace = workspaceOf(template, name)
  closeOverlay()
  const undo = openOwn({ workspace, openFile: workspace.files.at(-1)?.name ?? workspace.graph.name })
  const text = template.files.length === 0 ? 'An empty workspace. Paste or drop a graph.' : `${workspace.name} opened.`
  toastUndo(text, undo)
}

export const NEW_WORKSPACE_COMMANDS = inGroup('Files', [
  { id: 'new-from', title: 'New from a template', run: () => useView.getState().setOverlay('new') },
  { id: 'new', title: 'New empty workspace', run: () => startFrom(TEMPLATES[0]!, '') },
])
