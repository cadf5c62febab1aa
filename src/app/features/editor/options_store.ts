/** Options of the text area, kept for the next visit. */
import { create } from 'zustand'
import { keepText, keptJson } from '../../session/kept_text'

interface EditorOptions {
  wordWrap: boolean
  /** Show traced nodes at line ends. */
  traced: boolean
}

const KEY = 'fusescope-editor'

const read = (): Partial<EditorOptions> => {
  const { wordWrap, traced } = (keptJson(KEY) ?? {}) as Record<string, unknown>
  return { ...(typeof wordWrap === 'boolean' && { wordWrap }), ...(typeof traced === 'boolean' && { traced }) }
}

export const useEditorOptions = create<EditorOptions>(() => ({ wordWrap: true, traced: true, ...read() }))

export function toggleOption(name: keyof EditorOptions): void {
  useEditorOptions.setState((s) => ({ [name]: !s[name] }))
  keepText(KEY, JSON.stringify(useEditorOptions.getState()))
}
