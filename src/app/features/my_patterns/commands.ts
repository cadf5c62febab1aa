/** Commands of the user's pattern folders. */
import type { Command } from '../../commands/types'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'

const MY_PATTERNS: Command = {
  id: 'my-patterns',
  title: 'My patterns: folders of passes, and the table of their matches on many graphs',
  group: 'Files',
  keys: ['Shift+A'],
  run: () => useView.getState().setOverlay('my-patterns'),
}

export const MY_PATTERNS_COMMANDS: readonly Command[] = [
  MY_PATTERNS,
  {
    id: 'add-patterns',
    title: 'Add to my patterns: keep the open files as a folder or its next version',
    group: 'Files',
    keys: ['Shift+H'],
    enabled: () => useWorkspace.getState().workspace.files.some((f) => f.text.trim() !== ''),
    run: () => useView.getState().setOverlay('add-patterns'),
  },
]

/** While the dialog is open, files dropped anywhere on the page are for it. */
export const isMyPatternsOpen = (): boolean => /-patterns$/.test(useView.getState().overlay ?? '')
