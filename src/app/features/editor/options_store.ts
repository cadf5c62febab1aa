/** Options of the text area, kept for the next visit. */
import { create } from 'zustand'

interface EditorOptions {
  wordWrap: boolean
  /** Traced nodes at the ends of lines. */
  traced: boolean
}

const KEY = 'fusescope-editor'

const read = (): Partial<EditorOptions> => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<EditorOptions>
  } catch {
    return {}
  }
}

export const useEditorOptions = create<EditorOptions>(() => ({ wordWrap: false, traced: true, ...read() }))

export function toggleOption(name: keyof EditorOptions): void {
  useEditorOptions.setState((s) => ({ [name]: !s[name] }))
  try {
    localStorage.setItem(KEY, JSON.stringify(useEditorOptions.getState()))
  } catch {
    // Storage is full or off: the option holds for this visit.
  }
}
