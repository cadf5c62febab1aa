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

/** Actions of Monaco, whose own keys hold in the text. */
const ACTIONS: readonly (readonly [id: string, title: string, action: string])[] = [
  ['go-to-definition', 'Go to definition (F12)', 'editor.action.revealDefinition'],
  ['find-references', 'Find references (Shift+F12)', 'editor.action.goToReferences'],
  ['rename-symbol', 'Rename (F2)', 'editor.action.rename'],
  ['show-hover', 'Show schema and shape rule at the cursor (Shift+F1)', 'editor.action.showHover'],
  ['file-outline', 'Outline of the file (Ctrl+Shift+O)', 'editor.action.quickOutline'],
  ['format-file', 'Format the file (Shift+Alt+F)', 'editor.action.formatDocument'],
]

function actInEditor(action: string): void {
  useView.getState().setPane('code')
  requestAnimationFrame(() => activeEditor()?.act(action))
}

export const EDITOR_COMMANDS: readonly Command[] = [
  ...ACTIONS.map(([id, title, action]): Command => ({ id, title, group: 'Files', run: () => actInEditor(action) })),
  { id: 'focus-editor', title: 'Go to the editor', group: 'View', keys: ['E'], run: focusEditor },
  NEW_FILE,
  {
    id: 'word-wrap',
    title: 'Wrap long lines in the editor',
    group: 'View',
    run: () => toggleOption('wordWrap'),
  },
  {
    id: 'traced-values',
    title: 'Show traced nodes in the editor',
    group: 'View',
    run: () => toggleOption('traced'),
  },
]
