/** Commands that open, create and save files. */
import type { Command } from '../../commands/types'
import { rememberOrigin } from '../../session/kept_ids'
import { openWorkspace, reopenLater } from '../../session/open_workspace'
import { useView } from '../../session/view_store'
import { EMPTY_WORKSPACE, newOrigin } from '../../session/workspace_store'
import { chooseFiles, downloadSnapshot } from './files'

export const OPEN_FILE: Command = {
  id: 'open-file',
  title: 'Open a graph or a Python file…',
  group: 'Files',
  keys: ['Mod+O'],
  anywhere: true,
  run: chooseFiles,
}

export const OPEN_FILES_COMMANDS: readonly Command[] = [
  OPEN_FILE,
  { id: 'new', title: 'New empty workspace', group: 'Files', run: startEmpty },
  {
    id: 'save',
    title: 'Save everything as a file',
    group: 'Share',
    keys: ['Mod+S'],
    anywhere: true,
    run: () => void downloadSnapshot(),
  },
]

function startEmpty(): void {
  const undo = reopenLater()
  const own = newOrigin()
  rememberOrigin(own)
  openWorkspace({ workspace: EMPTY_WORKSPACE, origin: own, openFile: 'graph.txt' })
  useView.getState().toast('An empty workspace. Paste or drop a graph.', {
    action: { label: 'Undo', run: undo },
  })
}
