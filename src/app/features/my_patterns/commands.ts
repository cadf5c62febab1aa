/** Commands of the user's pattern folders. */
import { inGroup } from '../../commands/types'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'

export const MY_PATTERNS_COMMANDS = inGroup('Files', [
  {
    id: 'my-patterns',
    title: 'My patterns: folders of passes, and the table of their matches on many graphs',
    keys: ['Shift+A'],
    run: () => useView.getState().setOverlay('my-patterns'),
  },
  {
    id: 'add-patterns',
    title: 'Add to my patterns: keep the open files as a folder or its next version',
    keys: ['Shift+H'],
    enabled: () => useWorkspace.getState().workspace.files.some((f) => f.text.trim() !== ''),
    run: () => useView.getState().setOverlay('add-patterns'),
  },
])

/** While the dialog is open, files dropped anywhere on the page are for it. */
export const isMyPatternsOpen = (): boolean => /-patterns$/.test(useView.getState().overlay ?? '')
