/** Commands that open, create and save files. */
import type { Command } from '../../commands/types'
import { chooseFiles, downloadSnapshot } from './files'
import { pasteGraph } from './paste_graph'

const OPEN_FILE: Command = {
  id: 'open-file',
  title: 'Open a graph or a Python file…',
  group: 'Files',
  keys: ['Mod+O'],
  anywhere: true,
  run: chooseFiles,
}

const PASTE_GRAPH: Command = {
  id: 'paste-graph',
  title: 'Paste a graph',
  group: 'Files',
  run: () => void pasteGraph(),
}

export const OPEN_FILES_COMMANDS: readonly Command[] = [
  OPEN_FILE,
  PASTE_GRAPH,
  {
    id: 'save',
    title: 'Save everything as a file',
    group: 'Share',
    keys: ['Mod+S'],
    anywhere: true,
    run: () => void downloadSnapshot(),
  },
]
