/**
 * Write-ahead journal of a tab in local storage: edits that IndexedDB has not confirmed when the page is hidden or closed.
 * Only synchronous storage is certain to finish then.
 */
import { keysAfter, type KeyValueStore } from '../storage'
import type { Save } from './library'

const PREFIX = 'fusescope:journal:'

export interface Journal {
  tab: string
  saves: Save[]
}

/** Writes a tab's journal; without saves, removes it. @returns false if the storage refused */
export function writeJournal(store: KeyValueStore | null, { tab, saves }: Journal): boolean {
  try {
    if (saves.length === 0) store?.removeItem(PREFIX + tab)
    else if (store) store.setItem(PREFIX + tab, JSON.stringify({ v: 1, saves }))
    return store !== null
  } catch {
    return false
  }
}

/** The journals of all tabs. A damaged one is left where it is. */
export function readJournals(store: Storage): Journal[] {
  return keysAfter(PREFIX, store).flatMap((tab) => {
    try {
      const value = JSON.parse(store.getItem(PREFIX + tab) ?? 'null') as { v?: unknown; saves?: Save[] } | null
      return value?.v === 1 && Array.isArray(value.saves) ? [{ tab, saves: value.saves }] : []
    } catch {
      return []
    }
  })
}
