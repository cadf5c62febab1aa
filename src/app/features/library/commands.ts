/** Commands of the stored workspaces, and undo of the open one. */
import { inGroup } from '../../commands/types'
import { canRedo, canUndo, redo, undo } from '../../session/history'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { duplicateWorkspace } from './actions'

export const LIBRARY_COMMANDS = inGroup('Files', [
  {
    id: 'workspaces',
    title: 'All workspaces of this browser: open, rename, duplicate, delete',
    keys: ['A'],
    run: () => useView.getState().setOverlay('workspaces'),
  },
  {
    id: 'versions',
    title: 'Versions of this workspace',
    keys: ['V'],
    run: () => useView.getState().setOverlay('versions'),
  },
  {
    id: 'duplicate',
    title: 'Duplicate this workspace',
    run: () => void duplicateWorkspace(useWorkspace.getState().origin),
  },
  { id: 'undo', title: 'Undo the last change of the workspace', keys: ['Mod+Z'], enabled: canUndo, run: undo },
  { id: 'redo', title: 'Redo the change', keys: ['Mod+Shift+Z'], enabled: canRedo, run: redo },
])
