/** The open timeline and its current step. Derived data is in timeline.ts. */
import { combine } from 'zustand/middleware'
import { NONE, type Section } from '../../session/section'
import { createSessionStore } from '../../session/session_store'
import {
  numberOf,
  placeOf,
  rowOf,
  sameBreakpoint,
  stepAtRow,
  type Breakpoint,
  type Level,
  type IndexedTimeline,
} from './timeline'
import { useView } from '../../session/view_store'
import { fileOf, useWorkspace } from '../../session/workspace_store'

/** The subject of a timeline. */
export interface StepsOf {
  pass: string
  /** One pattern, or (null) all patterns tried at the node. */
  entry: number | null
  node: string
}

const state = {
  of: null as StepsOf | null,
  timeline: NONE as Section<IndexedTimeline>,
  /** Index of the current step. */
  at: 0,
  level: 'coarse' as Level,
  loading: false,
  failure: null as string | null,
  /** Duration of the request, in ms. */
  ms: null as number | null,
  breakpoints: [] as readonly Breakpoint[],
  playing: false,
  /** Playing stops where a comparison fails. */
  stopsAtFailure: true,
  /** The last action opened the timeline: the canvas moves there even if the node is visible. */
  opened: false,
  /** The list takes the focus once it is on screen: its panel may still load. */
  wantsFocus: false,
}
export type StepsState = typeof state

export const useSteps = createSessionStore(
  combine(state, (set, get) => {
    const goTo = (index: number, opened = false): void => {
      const { timeline, of } = get()
      const indexed = timeline.value
      if (!indexed || !of) return
      const at = Math.min(Math.max(0, index), indexed.steps.length - 1)
      set({ at, opened })
      followSource(placeOf(indexed, at).source?.file)
      useView.getState().select({ kind: 'step', ...of, index: numberOf(indexed, at) })
    }
    return {
      goTo,
      setLevel(level: Level): void {
        const { timeline, at } = get()
        const indexed = timeline.value
        set({ level })
        if (indexed) goTo(stepAtRow(indexed, level, rowOf(indexed, level, at)))
      },
      toggle: (breakpoint: Breakpoint): void =>
        set((s) => {
          const rest = s.breakpoints.filter((b) => !sameBreakpoint(b, breakpoint))
          return { breakpoints: rest.length < s.breakpoints.length ? rest : [...rest, breakpoint] }
        }),
    }
  }),
  ({ level, stopsAtFailure }) => ({ level, stopsAtFailure }),
)

/** Opens a Python file if another Python file is open; the graph's text stays open. */
export function followSource(file: string | undefined): void {
  const { workspace, openFile, open } = useWorkspace.getState()
  if (file === undefined) return
  const name = fileOf(workspace, file)
  const isPython = (n: string): boolean => workspace.files.some((f) => f.name === n)
  if (name !== openFile && isPython(name) && isPython(openFile)) open(name)
}
