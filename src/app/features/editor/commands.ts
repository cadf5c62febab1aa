/** Commands of the editor. */
import { inGroup, type Command } from '../../commands/types'
import { activeEditor } from '../../commands/surfaces'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { toggleOption } from './options_store'

/** A small screen shows the code first, because a hidden editor cannot take the focus. */
function focusEditor(): void {
  useView.getState().setPane('code')
  requestAnimationFrame(() => activeEditor()?.focus())
}

/** Actions of Monaco, which has its own keys for them in the text. */
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
  ...inGroup('Files', [
    ...ACTIONS.map(([id, title, action]) => ({ id, title, run: () => actInEditor(action) })),
    { id: 'new-file', title: 'Add a Python file', run: () => void useWorkspace.getState().addFile('patterns.py') },
  ]),
  ...inGroup('View', [
    { id: 'focus-editor', title: 'Go to the editor', keys: ['E'], run: focusEditor },
    { id: 'word-wrap', title: 'Wrap long lines in the editor', run: () => toggleOption('wordWrap') },
    { id: 'traced-values', title: 'Show traced nodes in the editor', run: () => toggleOption('traced') },
  ]),
]
