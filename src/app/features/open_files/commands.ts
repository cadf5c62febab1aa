/** Commands that open files. */
import type { Command } from '../../commands/types'
import { chooseFiles } from './sources'
import { pasteGraph } from './paste_graph'

export const OPEN_FILES_COMMANDS: readonly Command[] = [
  {
    id: 'open-file',
    title: 'Open a graph or a Python file…',
    group: 'Files',
    keys: ['Mod+O'],
    anywhere: true,
    run: chooseFiles,
  },
  {
    id: 'paste-graph',
    title: 'Paste a graph',
    group: 'Files',
    run: () => void pasteGraph(),
  },
]
