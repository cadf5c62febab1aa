/** Commands that begin a new workspace. */
import { inGroup } from '../../commands/types'
import { useView } from '../../session/view_store'
import { startFrom } from './start'
import { TEMPLATES } from './templates'

export const NEW_WORKSPACE_COMMANDS = inGroup('Files', [
  { id: 'new-from', title: 'New from a template', run: () => useView.getState().setOverlay('new') },
  { id: 'new', title: 'New empty workspace', run: () => startFrom(TEMPLATES[0]!, '') },
])
