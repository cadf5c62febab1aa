/** Projector mode: large type and high contrast in both themes (tokens.css); the choice is stored. */
import { create } from 'zustand'
import { keepText, keptText } from '../session/kept_text'

const KEY = 'fusescope:projector'

export const useProjector = create<{ on: boolean }>(() => ({ on: keptText(KEY) === '1' }))

export function toggleProjector(): void {
  const on = !useProjector.getState().on
  keepText(KEY, on ? '1' : null)
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
