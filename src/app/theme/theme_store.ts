/** Light or dark: what the system prefers until the person chooses; the choice is remembered. */
import { create } from 'zustand'

export type Theme = 'light' | 'dark'
const KEY = 'fusescope:theme'

interface ThemeState {
  theme: Theme
  toggle(): void
}

const dark = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null

function remembered(): Theme | null {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : null
  } catch {
    return null
  }
}

export const useTheme = create<ThemeState>((set, get) => ({
  theme: remembered() ?? (dark?.matches ? 'dark' : 'light'),
  toggle() {
    const theme = get().theme === 'dark' ? 'light' : 'dark'
    try {
      localStorage.setItem(KEY, theme)
    } catch {
      // Storage may be refused; the choice then lasts as long as the page.
    }
    set({ theme })
  },
}))

/** Puts the theme on <html> now and at each change, and follows the system while nothing was chosen. */
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
