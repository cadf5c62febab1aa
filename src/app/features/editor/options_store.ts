/** Options of the text area, kept for the next visit. */
import { create } from 'zustand'
import { lessonOf } from '../../session/kept_ids'
import { useWorkspace } from '../../session/workspace_store'

interface EditorOptions {
  /** Null until the user chooses: lines then wrap in lessons and on small screens, whose editor is narrow. */
  wordWrap: boolean | null
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

export const useEditorOptions = create<EditorOptions>(() => ({ wordWrap: null, traced: true, ...read() }))

/** A screen without room for three columns, which is also one of 1440 pixels at 200 %. */
export const smallScreen = (): MediaQueryList => matchMedia('(max-width: 960px)')

/** True if lines wrap now. */
export const wraps = (): boolean =>
  useEditorOptions.getState().wordWrap ?? (lessonOf(useWorkspace.getState().origin) !== null || smallScreen().matches)

export function toggleOption(name: keyof EditorOptions, from = useEditorOptions.getState()[name]): void {
  useEditorOptions.setState({ [name]: !from })
  try {
    localStorage.setItem(KEY, JSON.stringify(useEditorOptions.getState()))
  } catch {
    // Storage is full or off: the option holds for this visit.
  }
}
