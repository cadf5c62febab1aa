/** Options of the text area, kept for the next visit. */
import { create } from 'zustand'

interface EditorOptions {
  wordWrap: boolean
  /** Traced nodes at the ends of lines. */
  traced: boolean
}

const KEY = 'fusescope-editor'

/** What a storage holds may be of any kind. */
const read = (): Partial<EditorOptions> => {
  try {
    const { wordWrap, traced } = (JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}) as Record<string, unknown>
    return {
      ...(typeof wordWrap === 'boolean' && { wordWrap }),
      ...(typeof traced === 'boolean' && { traced }),
    }
  } catch {
    return {}
  }
}

export const useEditorOptions = create<EditorOptions>(() => ({ wordWrap: true, traced: true, ...read() }))

export function toggleOption(name: keyof EditorOptions): void {
  useEditorOptions.setState((s) => ({ [name]: !s[name] }))
  try {
    localStorage.setItem(KEY, JSON.stringify(useEditorOptions.getState()))
  } catch {
    // Storage is full or off: the option holds for this visit.
  }
}
