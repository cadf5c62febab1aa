/** What the person looks at: selection, hover, mode, panel, overlays. Not part of undo; part of a link. */
import { createSessionStore } from './session_store'
import type { CanvasMode, PanelId, Selection } from '../../workspace/types'

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
  /** The graph after this stage of the pipeline is shown instead; null: `mode` says. */
  stage: number | null
  panel: PanelId
  /** Where the selection was made; that surface stays as it is, the others move to show it. */
  from: SelectedFrom
  /** Counts selections, the same one chosen again included. */
  seq: number
  search: { open: boolean; query: string; at: number }
  overlay: 'palette' | 'help' | 'share' | 'pin' | 'gallery' | null
  toasts: Toast[]
  select(selection: Selection | null, from?: SelectedFrom): void
  setHover(selection: Selection | null): void
  setMode(mode: CanvasMode): void
  setPanel(panel: PanelId): void
  setSearch(search: Partial<ViewStore['search']>): void
  setOverlay(overlay: ViewStore['overlay']): void
  toast(text: string, options?: { tone?: Toast['tone']; action?: Toast['action'] }): void
  dismiss(id: number): void
}

let nextToast = 1

/** An offer to undo is for the workspace that it was made in. */
const kept = ({ mode, panel, from, seq, search, overlay, toasts }: ViewStore): Partial<ViewStore> => ({
  mode,
  panel,
  from,
  seq,
  search,
  overlay,
  toasts: toasts.filter((t) => !t.action),
})

export const useView = createSessionStore<ViewStore>(
  (set, get) => ({
    selection: null,
    hover: null,
    mode: 'before',
    stage: null,
    panel: 'matches',
    from: 'panel',
    seq: 0,
    search: { open: false, query: '', at: 0 },
    overlay: null,
    toasts: [],
    select(selection, from = 'panel') {
      set((s) => ({ selection, from, seq: s.seq + 1 }))
    },
    setHover(hover) {
      if (get().hover !== hover) set({ hover })
    },
    setMode: (mode) => set({ mode, stage: null }),
    setPanel: (panel) => set({ panel }),
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
