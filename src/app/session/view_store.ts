/** The view state: selection, hover, mode, panel, overlays. Stored in links, not part of undo. */
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
  panel: PanelId
  /** What a small screen shows beside the panels: it has no room for both. */
  pane: 'graph' | 'code'
  /** The camera of the link that is open; null: the selection decides. */
  camera: CameraPlace | null
  /** That of its second canvas; null: as for one. */
  cameraBeside: CameraPlace | null
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
  select(selection: Selection | null, from?: SelectedFrom): void
  setHover(selection: Selection | null): void
  setMode(mode: CanvasMode): void
  setPanel(panel: PanelId): void
  setPane(pane: ViewStore['pane']): void
  setSearch(search: Partial<ViewStore['search']>): void
  setOverlay(overlay: ViewStore['overlay']): void
  toast(text: string, options?: { tone?: Toast['tone']; action?: Toast['action'] }): void
  dismiss(id: number): void
}

let nextToast = 1

/** Closes toasts that offer undo when another workspace opens. */
const kept = ({ mode, panel, pane, from, seq, search, overlay, toasts }: ViewStore): Partial<ViewStore> => ({
  mode,
  panel,
  pane,
  from,
  seq,
  search,
  overlay,
  toasts: toasts.filter((t) => !t.action),
})

const paneOf = ({ kind }: Selection): ViewStore['pane'] => (kind === 'line' ? 'code' : 'graph')

export const useView = createSessionStore<ViewStore>(
  (set, get) => ({
    selection: null,
    hover: null,
    mode: 'before',
    stage: null,
    panel: 'matches',
    pane: 'graph',
    camera: null,
    cameraBeside: null,
    unfolded: null,
    groupBy: null,
    from: 'panel',
    seq: 0,
    search: { open: false, query: '', at: 0, side: null },
    overlay: null,
    toasts: [],
    select(selection, from = 'panel') {
      const shown = selection && from === 'panel' ? { pane: paneOf(selection) } : {}
      set((s) => ({ selection, from, seq: s.seq + 1, ...shown }))
    },
    setHover(hover) {
      if (get().hover !== hover) set({ hover })
    },
    setMode: (mode) => set({ mode, stage: null }),
    setPanel: (panel) => set({ panel }),
    setPane: (pane) => set({ pane }),
    setSearch: (search) => set((s) => ({ search: { ...s.search, ...search } })),
    setOverlay: (overlay) => set({ overlay }),
    toast(text, { tone = 'info', action } = {}) {
      const id = nextToast++
      set((s) => ({ toasts: [...s.toasts.slice(-2), { id, text, tone, action }] }))
      setTimeout(() => get().dismiss(id), action ? 12_000 : 6_000)
    },
    dismiss: (id) => set((s) => ({ toasts: s.toasts.filter((t) => t.id !== id) })),
  }),
  kept,
)
