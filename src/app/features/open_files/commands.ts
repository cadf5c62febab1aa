/** Commands that open, create and save files. */
import type { Command } from '../../commands/types'
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
  {
    id: 'save',
    title: 'Save everything as a file',
    group: 'Share',
    keys: ['Mod+S'],
    anywhere: true,
    run: () => void downloadSnapshot(),
  },
]
