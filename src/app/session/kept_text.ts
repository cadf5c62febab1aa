/** Texts in the browser's storage. If it refuses, nothing is read, and written texts last until the page closes. */
type Of = 'localStorage' | 'sessionStorage'

export function keptText(key: string, of: Of = 'localStorage'): string | null {
  try {
    return globalThis[of]?.getItem(key) ?? null
  } catch {
    return null
  }
}

/** A stored value may have any type; null: nothing is stored. */
export function keptJson(key: string, of?: Of): unknown {
  try {
    return JSON.parse(keptText(key, of) ?? 'null')
  } catch {
    return null
  }
}

/** @param text null: nothing is stored */
export function keepText(key: string, text: string | null, of: Of = 'localStorage'): void {
  try {
    if (text === null) globalThis[of]?.removeItem(key)
    else globalThis[of]?.setItem(key, text)
  } catch {
    // The caller still has the text.
  }
}
