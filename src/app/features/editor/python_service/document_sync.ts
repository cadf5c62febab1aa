/** Keeps the files of a language server equal to those of the workspace. */
import type { TextFile } from '../../../../workspace/types'

/** The server's folder of the workspace. */
export const ROOT = 'file:///src/'

interface Document {
  text: string
  version: number
}

export class DocumentSync {
  private readonly documents = new Map<string, Document>()

  constructor(private readonly notify: (method: string, params: unknown) => void) {}

  /** Sends the differences from the last files: new, changed and removed files. */
  sync(files: readonly TextFile[]): void {
    for (const name of [...this.documents.keys()]) if (!files.some((f) => f.name === name)) this.remove(name)
    for (const { name, text } of files) {
      const known = this.documents.get(name)
      const uri = this.uriOf(name)
      if (!known) {
        this.documents.set(name, { text, version: 1 })
        this.notify('pyright/createFile', { uri })
        this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'python', version: 1, text } })
      } else if (known.text !== text) {
        known.text = text
        known.version++
        this.notify('textDocument/didChange', {
          textDocument: { uri, version: known.version },
          contentChanges: [{ text }],
        })
      }
    }
  }

  uriOf(name: string): string {
    return ROOT + name.split('/').map(encodeURIComponent).join('/')
  }

  /** The file of a URI in any spelling; null for one outside the workspace. */
  nameOf(uri: string): string | null {
    const path = decodeURIComponent(uri)
    const name = path.startsWith(ROOT) ? path.slice(ROOT.length) : null
    return name !== null && this.documents.has(name) ? name : null
  }

  private remove(name: string): void {
    this.documents.delete(name)
    const uri = this.uriOf(name)
    this.notify('textDocument/didClose', { textDocument: { uri } })
    this.notify('pyright/deleteFile', { uri })
  }
}
