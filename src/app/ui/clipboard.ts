import { toast } from '../session/view_store'

/** Writes a text to the clipboard. @returns false if the browser refuses */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Copies a text and confirms it. @param otherwise the message if the browser refuses */
export async function copyAndSay(text: string, said: string, otherwise?: string): Promise<void> {
  const copied = await copyText(text)
  const refused = otherwise ?? 'The browser does not let this page write to the clipboard.'
  toast(copied ? said : refused, { tone: copied || otherwise ? 'info' : 'bad' })
}
