/** Projector mode: large type and high contrast on both themes (tokens.css); the choice is stored. */
import { create } from 'zustand'

const KEY = 'fusescope:projector'

function remembered(): boolean {
  try {
    return localStorage.getItem(KEY) === '1'
  } catch {
    return false
  }
}

export const useProjector = create<{ on: boolean }>(() => ({ on: remembered() }))

export function toggleProjector(): void {
  const on = !useProjector.getState().on
  try {
    if (on) localStorage.setItem(KEY, '1')
    else localStorage.removeItem(KEY)
  } catch {
    // The browser may refuse storage; the choice then lasts until the page closes.
  }
  useProjector.setState({ on })
}

/** Marks <html> now and at each change. */
export function applyProjector(): void {
  const put = (on: boolean): void => {
    document.documentElement.toggleAttribute('data-projector', on)
  }
  put(useProjector.getState().on)
  useProjector.subscribe((s) => put(s.on))
}
