/** Commands that begin a new workspace. */
import type { Command } from '../../commands/types'
import { useView } from '../../session/view_store'
import { startFrom } from './start'
import { TEMPLATES } from './templates'

export const NEW_WORKSPACE_COMMANDS: readonly Command[] = [
  {
    id: 'new-from',
    title: 'New from a template',
    group: 'Files',
    run: () => useView.getState().setOverlay('new'),
  },
  { id: 'new', title: 'New empty workspace', group: 'Files', run: () => startFrom(TEMPLATES[0]!, '') },
]
