/** The theme, light or dark: the system's preference until the user chooses; the choice is stored. */
import { create } from 'zustand'
import { keepText, keptText } from '../session/kept_text'

export type Theme = 'light' | 'dark'
const KEY = 'fusescope:theme'

interface ThemeState {
  theme: Theme
  toggle(): void
}

const dark = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null

function remembered(): Theme | null {
  const value = keptText(KEY)
  return value === 'light' || value === 'dark' ? value : null
}

export const useTheme = create<ThemeState>((set, get) => ({
  theme: remembered() ?? (dark?.matches ? 'dark' : 'light'),
  toggle() {
    const theme = get().theme === 'dark' ? 'light' : 'dark'
    keepText(KEY, theme)
    set({ theme })
  },
}))

/** Sets the theme on <html> now and at each change, and follows the system until the user chooses. */
export function applyTheme(): void {
  const put = (theme: Theme): void => {
    document.documentElement.dataset.theme = theme
  }
  put(useTheme.getState().theme)
  useTheme.subscribe((s) => put(s.theme))
  dark?.addEventListener('change', (e) => {
    if (remembered() === null) useTheme.setState({ theme: e.matches ? 'dark' : 'light' })
  })
}
