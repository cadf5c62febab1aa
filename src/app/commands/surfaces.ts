/** The canvas and the editor that commands act on; each registers itself while mounted. */
import { create } from 'zustand'
import type { TextEdit } from '../../engine/protocol'
import type { CameraPlace } from '../../workspace/types'
import type { GraphCanvasHandle } from '../canvas'
import { until } from '../session/session_store'

export interface EditorSurface {
  focus(): void
  /** Selects the first occurrence of `text` in the open file. Returns false if there is none. */
  select(text: string): boolean
  /** Scrolls to the first occurrence of `text` in the open file; the focus stays. */
  reveal(text: string): void
  /** Moves the caret to a place, from 1, and focuses the editor. */
  moveTo(line: number, column: number): void
  /** Runs one of the editor's own actions at the caret: `editor.action.rename`. */
  act(action: string): void
  /** First line in view, from 1. */
  topLine(): number
  /**
   * Edits files as one undoable change, opens the first of them at its edit and focuses the editor.
   * @returns a function that undoes the change; null if a file does not exist
   */
  apply(files: ReadonlyMap<string, readonly TextEdit[]>): (() => void) | null
}

const useSurfaces = create<Record<'before' | 'after', GraphCanvasHandle | null> & { editor: EditorSurface | null }>(
  () => ({
    before: null,
    after: null,
    editor: null,
  }),
)

export const setCanvas = (side: 'before' | 'after', surface: GraphCanvasHandle | null): void =>
  useSurfaces.setState({ [side]: surface })

export const canvasOf = (side: 'before' | 'after'): GraphCanvasHandle | null => useSurfaces.getState()[side]

/** The mounted canvases, the one of the graph before first. */
const canvases = (): GraphCanvasHandle[] => (['before', 'after'] as const).flatMap((side) => canvasOf(side) ?? [])

/** With two canvases, both receive the call, so that they show the same part of the graph. */
export function activeCanvas(): Omit<GraphCanvasHandle, 'place' | 'lookAt' | 'focusNodes'> | null {
  const all = canvases()
  if (all.length === 0) return null
  return {
    fit: () => all.forEach((c) => c.fit()),
    zoomIn: () => all.forEach((c) => c.zoomIn()),
    zoomOut: () => all.forEach((c) => c.zoomOut()),
    // The first canvas that draws any of these nodes.
    picture: async (part) => {
      for (const c of all) {
        const picture = await c.picture(part)
        if (picture) return picture
      }
      return null
    },
  }
}

/** The cameras for a link, that of the graph before first. */
export const cameraPlaces = (): CameraPlace[] => canvases().flatMap((canvas) => canvas.place() ?? [])

export const setEditor = (editor: EditorSurface | null): void => useSurfaces.setState({ editor })

export const activeEditor = (): EditorSurface | null => useSurfaces.getState().editor

/** Resolves to the editor once its code has loaded. */
export const editorLoaded = async (): Promise<EditorSurface> =>
  (await until(useSurfaces, ({ editor }) => editor !== null)).editor!

/** Focuses the panel that is open in a place, once it is drawn. */
export function focusPanel(place: 'tabs' | 'drawer' | 'graph'): void {
  const selector =
    place === 'tabs' ? '[data-region="panels"] [role="tab"][aria-selected="true"]' : `[data-place="${place}"]`
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true }))
}

/**
 * Targets of the focus in an area; the first existing one is used: the answer (its buttons change), the open tab, or the first
 * element that Tab reaches.
 */
const ENTRIES = ['[data-entry]', '[role="tab"][aria-selected="true"]', '[tabindex="0"]', 'button']

/** @returns true if the area took the focus */
function focusRegion(region: HTMLElement): boolean {
  if (region.dataset.region === 'editor' && activeEditor()) activeEditor()!.focus()
  else ENTRIES.flatMap((s) => region.querySelector<HTMLElement>(s) ?? [])[0]?.focus()
  return region.contains(document.activeElement)
}

/**
 * Moves the keyboard focus from the editor to the guide (if open), the graph, the panels, and back to the editor.
 * @param show shows the graph or the code on a screen with room for only one of them
 */
export function focusNextRegion(show: (pane: 'graph' | 'code') => void): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')]
  const at = regions.findIndex((r) => r.contains(document.activeElement))
  for (const region of [...regions.slice(at + 1), ...regions.slice(0, at + 1)]) {
    if (!region.checkVisibility()) {
      show(region.dataset.region === 'canvas' ? 'graph' : 'code')
      return void requestAnimationFrame(() => focusRegion(region))
    }
    if (focusRegion(region)) return
  }
}
