/** Texts in the browser's storage. It may refuse: then nothing is read, and what is written lasts until the page closes. */
type Of = 'localStorage' | 'sessionStorage'

export function keptText(key: string, of: Of = 'localStorage'): string | null {
  try {
    return globalThis[of]?.getItem(key) ?? null
  } catch {
    return null
  }
}

/** What a storage holds may be of any kind; null: nothing. */
export function keptJson(key: string, of?: Of): unknown {
  try {
    return JSON.parse(keptText(key, of) ?? 'null')
  } catch {
    return null
  }
}

/** @param text null: nothing is kept */
export function keepText(key: string, text: string | null, of: Of = 'localStorage'): void {
  try {
    if (text === null) globalThis[of]?.removeItem(key)
    else globalThis[of]?.setItem(key, text)
  } catch {
    // The caller has the text.
  }
}
