/** Takes the clipboard's text, where the browser gives it. */
import { showKeys } from '../../commands/keys'
import { toast } from '../../session/view_store'
import { take } from './sources'

export async function pasteGraph(): Promise<void> {
  let text: string
  try {
    text = await navigator.clipboard.readText()
  } catch {
    return toast(`The browser does not let the page read the clipboard. Press ${showKeys('Mod+V')} instead.`)
  }
  if (text.trim() === '') toast('The clipboard has no text. Copy the output of print(graph) first.')
  else await take(text, 'graph.txt')
}
