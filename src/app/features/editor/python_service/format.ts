/** Formats Python with ruff's formatter, a WebAssembly module that loads on the first use. */
import wasmUrl from '@wasm-fmt/ruff_fmt/wasm?url'
import { once } from '../../../../base/memoize'
import { toast } from '../../../session/view_store'
import { monaco } from '../monaco'

type Format = (text: string) => string

const formatter = once(async (): Promise<Format> => {
  const { default: init, format } = await import('@wasm-fmt/ruff_fmt/web')
  await init(wasmUrl)
  return (text) => format(text)
})

export function registerFormatter(): void {
  // Monaco binds this key on Windows and macOS only; on Linux it binds Ctrl+Shift+I, which opens the browser's tools.
  monaco.editor.addKeybindingRule({
    keybinding: monaco.KeyMod.Shift | monaco.KeyMod.Alt | monaco.KeyCode.KeyF,
    command: 'editor.action.formatDocument',
    when: 'editorTextFocus && !editorReadonly',
  })
  monaco.languages.registerDocumentFormattingEditProvider('python', {
    displayName: 'ruff',
    async provideDocumentFormattingEdits(model) {
      const format = await formatter()
      try {
        return [{ range: model.getFullModelRange(), text: format(model.getValue()) }]
      } catch (e) {
        // Only a text that does not parse is refused.
        const reason = e instanceof Error ? e.message : String(e)
        const name = model.uri.path.split('/').at(-1)
        toast(`${name} is not formatted, because it does not parse: ${withLines(reason, model.getValue())}`, {
          tone: 'bad',
        })
        return null
      }
    },
  })
}

/** ruff names a place by offsets in UTF-8: `… at byte range 12..15`. */
const withLines = (reason: string, text: string): string =>
  reason.replace(/byte range (\d+)\.\.\d+/g, (_, from: string) => {
    const before = new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, Number(from)))
    return `line ${before.split('\n').length}`
  })
