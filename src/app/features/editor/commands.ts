/** Commands of the editor. */
import type { Command } from '../../commands/types'
import { activeEditor } from '../../commands/surfaces'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { toggleOption } from './options_store'

export const NEW_FILE: Command = {
  id: 'new-file',
  title: 'Add a Python file',
  group: 'Files',
  run: () => void useWorkspace.getState().addFile('patterns.py'),
}

/** A small screen shows the code first; a hidden editor takes no focus. */
function focusEditor(): void {
  useView.getState().setPane('code')
  requestAnimationFrame(() => activeEditor()?.focus())
}

export const EDITOR_COMMANDS: readonly Command[] = [
  { id: 'focus-editor', title: 'Go to the editor', group: 'View', keys: ['E'], run: focusEditor },
  NEW_FILE,
  { id: 'word-wrap', title: 'Wrap long lines in the editor', group: 'View', run: () => toggleOption('wordWrap') },
  {
    id: 'traced-values',
    title: 'Show traced nodes in the editor',
    group: 'View',
    run: () => toggleOption('traced'),
  },
]
