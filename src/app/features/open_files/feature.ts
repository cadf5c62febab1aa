/** Commands that open files. */
import { inGroup } from '../../commands/types'
import { pick } from '../../files/download'
import { take, takeFiles } from './sources'
import { showKeys } from '../../commands/keys'
import { toast } from '../../session/view_store'
import type { Feature } from '../types'
import { diffPart } from './diff'

/** Opens the clipboard's text, if the browser permits it. */
async function pasteGraph(): Promise<void> {
  let text: string
  try {
    text = await navigator.clipboard.readText()
  } catch {
    return toast(`The browser does not let the page read the clipboard. Press ${showKeys('Mod+V')} instead.`)
  }
  if (text.trim() === '') toast('The clipboard has no text. Copy the output of print(graph) first.')
  else await take(text, 'graph.txt')
}

export const openFilesFeature: Feature = {
  commands: inGroup('Files', [
    {
      id: 'open-file',
      title: 'Open a graph or a Python file…',
      keys: ['Mod+O'],
      anywhere: true,
      run: () => pick(takeFiles),
    },
    { id: 'paste-graph', title: 'Paste a graph', run: () => void pasteGraph() },
  ]),
  sessionPart: diffPart,
}
