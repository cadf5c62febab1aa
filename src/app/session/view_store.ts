/** The view state: selection, hover, mode, panel, overlays. Stored in links, not part of undo. */
import { visibleText } from '../../base/escapes'
import { createSessionStore } from './session_store'
import type { CameraPlace, CanvasMode, GroupBy, PanelId, Selection } from '../../workspace/types'

export type SelectedFrom = 'before' | 'after' | 'editor' | 'panel'

export interface Toast {
  id: number
  text: string
  tone: 'info' | 'bad'
  action?: { label: string; run: () => void }
}

export interface ViewStore {
  selection: Selection | null
  hover: Selection | null
  mode: CanvasMode
  /** Show the graph after this stage of the pipeline; null: `mode` decides. */
  stage: number | null
  /** The panel that was opened last; its place shows it. */
  panel: PanelId
  /** The panel in each place; null: the place is closed. */
  places: { readonly tabs: PanelId; readonly drawer: PanelId | null; readonly graph: PanelId | null }
  /** What a small screen shows beside the panels: it has no room for both. */
  pane: 'graph' | 'code'
  /** The camera of the link or the lesson's step that is open, until another view is chosen; null: the selection decides. */
  camera: CameraPlace | null
  /** That of its second canvas; null: as for one. */
  cameraBeside: CameraPlace | null
  /** Counts requests for the first view of the graph, as by another workspace. */
  firsts: number
  /** The open instances of the link that is open, as in ViewState; null: what the graph shows at first. */
  unfolded: readonly string[] | null
  /** What the open link groups the graph by; null: layers. */
  groupBy: GroupBy | null
  /** The view in which the selection was made; it does not move, the others move to show the selection. */
  from: SelectedFrom
  /** Counts selections, including repeated ones. */
  seq: number
  /** `side`: the canvas whose results are listed; null: the first that has any. */
  search: { open: boolean; query: string; at: number; side: 'before' | 'after' | null }
  overlay:
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
    | null
  toasts: Toast[]
  toastsShown: number
  select(selection: Selection | null, from?: SelectedFrom): void
  setHover(selection: Selection | null): void
  /** Where a canvas that opens next looks; null: at its first view. */
  setCamera(camera: CameraPlace | null): void
  setMode(mode: CanvasMode): void
  setPanel(panel: PanelId): void
  /** Closes the drawer, or the panel beside the graph. */
  closePlace(place: 'drawer' | 'graph'): void
  setPane(pane: ViewStore['pane']): void
  setSearch(search: Partial<ViewStore['search']>): void
  setOverlay(overlay: ViewStore['overlay']): void
  dismiss(id: number): void
}

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

/** Closes toasts that offer undo when another workspace opens. */
const kept = ({
  firsts,
  mode,
  panel,
  places,
  pane,
  from,
  seq,
  search,
  overlay,
  toasts,
  toastsShown,
}: ViewStore): Partial<ViewStore> => ({
  firsts: firsts + 1,
  mode,
  panel,
  places,
  pane,
  from,
  seq,
  search,
  overlay,
  toasts: toasts.filter((t) => !t.action),
  toastsShown,
})

const paneOf = ({ kind }: Selection): ViewStore['pane'] => (kind === 'line' ? 'code' : 'graph')

export const useView = createSessionStore<ViewStore>(
  (set, get) => ({
    selection: null,
    hover: null,
    mode: 'before',
    stage: null,
    panel: 'matches',
    places: { tabs: 'matches', drawer: null, graph: null },
    pane: 'graph',
    camera: null,
    cameraBeside: null,
    firsts: 0,
    unfolded: null,
    groupBy: null,
    from: 'panel',
    seq: 0,
    search: { open: false, query: '', at: 0, side: null },
    overlay: null,
    toasts: [],
    toastsShown: 0,
    select(selection, from = 'panel') {
      const shown = selection && from === 'panel' ? { pane: paneOf(selection) } : {}
      set((s) => ({ selection, from, seq: s.seq + 1, ...shown }))
    },
    setHover(hover) {
      if (get().hover !== hover) set({ hover })
    },
    setCamera: (camera) => set({ camera, cameraBeside: null }),
    setMode: (mode) => set({ mode, stage: null, camera: null, cameraBeside: null }),
    setPanel: (panel) => set({ panel }),
    closePlace: (place) => set(({ places }) => ({ panel: places.tabs, places: { ...places, [place]: null } })),
    setPane: (pane) => set({ pane }),
    setSearch: (search) => set((s) => ({ search: { ...s.search, ...search } })),
    setOverlay: (overlay) => set({ overlay }),
    dismiss: (id) => set((s) => ({ toasts: s.toasts.filter((t) => t.id !== id) })),
  }),
  kept,
)

export const closeOverlay = (): void => useView.getState().setOverlay(null)

/** Shows a message, for a while. */
export function toast(text: string, { tone = 'info', action }: Partial<Pick<Toast, 'tone' | 'action'>> = {}): void {
  const id = useView.getState().toastsShown + 1
  useView.setState((s) => ({
    toastsShown: id,
    toasts: [...s.toasts.slice(-2), { id, text: visibleText(text), tone, action }],
  }))
  setTimeout(() => useView.getState().dismiss(id), action ? 12_000 : 6_000)
}

/** Says what has changed, and offers to undo it. */
export const toastUndo = (text: string, run?: () => void): void =>
  toast(text, run && { action: { label: 'Undo', run } })

// A link, a lesson or a step back in history sets the panel: it opens in its place.
useView.subscribe((s, before) => {
  if (s.panel !== before.panel && s.places[placeOf(s.panel)] !== s.panel)
    useView.setState({ places: withPanel(s.places, s.panel), ...(placeOf(s.panel) === 'graph' && { pane: 'graph' }) })
})
