/** The view state: selection, hover, mode, panel, overlays. Stored in links, not part of undo. */
import { visibleText } from '../../base/escapes'
import { combine } from 'zustand/middleware'
import { createSessionStore } from './session_store'
import type { CameraPlace, CanvasMode, GroupBy, PanelId, Selection } from '../../workspace/types'

export type SelectedFrom = 'before' | 'after' | 'editor' | 'panel'

export interface Toast {
  id: number
  text: string
  tone: 'info' | 'bad'
  action?: { label: string; run: () => void }
}

export type Overlay =
  | 'palette'
  | 'find-files'
  | 'help'
  | 'share'
  | 'pin'
  | 'pattern'
  | 'new'
  | 'fusions'
  | 'gallery'
  | 'workspaces'
  | 'my-patterns'
  | 'add-patterns'
  | 'versions'
  | 'lessons'
  | 'glossary'
  | 'class'

/** What belongs to the open workspace. */
const ofWorkspace = {
  selection: null as Selection | null,
  hover: null as Selection | null,
  /** Show the graph after this stage of the pipeline; null: `mode` decides. */
  stage: null as number | null,
  /** The camera of the link or the lesson's step that is open, until another view is chosen; null: the selection decides. */
  camera: null as CameraPlace | null,
  /** The camera of its second canvas; null if it has only one. */
  cameraBeside: null as CameraPlace | null,
  /** The open instances of the link that is open, as in ViewState; null: what the graph shows at first. */
  unfolded: null as readonly string[] | null,
  /** The open link's grouping criterion; null: layers. */
  groupBy: null as GroupBy | null,
}

const state = {
  ...ofWorkspace,
  mode: 'before' as CanvasMode,
  /** The panel that was opened last; its place shows it. */
  panel: 'matches' as PanelId,
  /** The panel in each place; null: the place is closed. */
  places: { tabs: 'matches', drawer: null, graph: null } as {
    readonly tabs: PanelId
    readonly drawer: PanelId | null
    readonly graph: PanelId | null
  },
  /** Which of the two a small screen shows beside the panels. */
  pane: 'graph' as 'graph' | 'code',
  /** Counts requests for the graph's first view, for example by another workspace. */
  firsts: 0,
  /** The view in which the selection was made: it does not move; the others move to show the selection. */
  from: 'panel' as SelectedFrom,
  /** Counts selections, including repeated ones. */
  seq: 0,
  /** `side`: the canvas whose results are listed; null: the first that has any. */
  search: { open: false, query: '', at: 0, side: null as 'before' | 'after' | null },
  overlay: null as Overlay | null,
  toasts: [] as Toast[],
  toastsShown: 0,
}
export type ViewStore = typeof state

/** Where a panel opens; absent: among the tabs. */
const PLACES: Partial<Record<PanelId, 'drawer' | 'graph'>> = {
  problems: 'drawer',
  console: 'drawer',
  pipeline: 'graph',
  outline: 'graph',
}
export const placeOf = (panel: PanelId): 'tabs' | 'drawer' | 'graph' => PLACES[panel] ?? 'tabs'

const withPanel = (places: ViewStore['places'], panel: PanelId): ViewStore['places'] => ({
  ...places,
  [placeOf(panel)]: panel,
})

const paneOf = ({ kind }: Selection): ViewStore['pane'] => (kind === 'line' ? 'code' : 'graph')

export const useView = createSessionStore(
  combine(state, (set, get) => ({
    select(selection: Selection | null, from: SelectedFrom = 'panel'): void {
      const shown = selection && from === 'panel' ? { pane: paneOf(selection) } : {}
      set((s) => ({ selection, from, seq: s.seq + 1, ...shown }))
    },
    setHover(hover: Selection | null): void {
      if (get().hover !== hover) set({ hover })
    },
    /** The initial camera of a canvas that opens next; null: its first view. */
    setCamera: (camera: CameraPlace | null): void => set({ camera, cameraBeside: null }),
    setMode: (mode: CanvasMode): void => set({ mode, stage: null, camera: null, cameraBeside: null }),
    setPanel: (panel: PanelId): void => set({ panel }),
    /** Closes the drawer, or the panel beside the graph. */
    closePlace: (place: 'drawer' | 'graph'): void =>
      set(({ places }) => ({ panel: places.tabs, places: { ...places, [place]: null } })),
    setPane: (pane: ViewStore['pane']): void => set({ pane }),
    setSearch: (search: Partial<ViewStore['search']>): void => set((s) => ({ search: { ...s.search, ...search } })),
    setOverlay: (overlay: Overlay | null): void => set({ overlay }),
    dismiss: (id: number): void => set((s) => ({ toasts: s.toasts.filter((t) => t.id !== id) })),
  })),
  // Toasts that offer undo close when another workspace opens.
  (s) => ({ ...s, ...ofWorkspace, firsts: s.firsts + 1, toasts: s.toasts.filter((t) => !t.action) }),
)

export const closeOverlay = (): void => useView.getState().setOverlay(null)

/** Shows a message for a while. */
export function toast(text: string, { tone = 'info', action }: Partial<Pick<Toast, 'tone' | 'action'>> = {}): void {
  const id = useView.getState().toastsShown + 1
  useView.setState((s) => ({
    toastsShown: id,
    toasts: [...s.toasts.slice(-2), { id, text: visibleText(text), tone, action }],
  }))
  setTimeout(() => useView.getState().dismiss(id), action ? 12_000 : 6_000)
}

/** Reports a change, and offers to undo it. */
export const toastUndo = (text: string, run?: () => void): void =>
  toast(text, run && { action: { label: 'Undo', run } })

// A link, a lesson or history navigation sets the panel: it opens in its place.
useView.subscribe((s, before) => {
  if (s.panel !== before.panel && s.places[placeOf(s.panel)] !== s.panel)
    useView.setState({ places: withPanel(s.places, s.panel), ...(placeOf(s.panel) === 'graph' && { pane: 'graph' }) })
})
