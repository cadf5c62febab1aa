/**
 * Write-ahead journal of a tab in local storage: edits that IndexedDB has not confirmed when the page is hidden or closed.
 * Only synchronous storage is certain to finish then.
 */
import { workspaceSchema } from '../schema'
import { keysAfter, type KeyValueStore } from '../storage'
import type { Save } from './library'

const PREFIX = 'fusescope:journal:'

export interface Journal {
  tab: string
  saves: Save[]
  /** Entries that are not saves: they stay in the journal. Absent: none. */
  damaged?: readonly unknown[]
}

/** Writes a tab's journal; without saves, removes it. @returns false if the storage refused */
export function writeJournal(store: KeyValueStore | null, { tab, saves, damaged = [] }: Journal): boolean {
  try {
    const all = [...saves, ...damaged]
    if (all.length === 0) store?.removeItem(PREFIX + tab)
    else if (store) store.setItem(PREFIX + tab, JSON.stringify({ v: 1, saves: all }))
    return store !== null
  } catch {
    return false
  }
}

/** The journals of all tabs. Damaged journals and entries stay where they are. */
export function readJournals(store: Storage): Journal[] {
  return keysAfter(PREFIX, store).flatMap((tab) => {
    try {
      const value = JSON.parse(store.getItem(PREFIX + tab) ?? 'null') as { v?: unknown; saves?: unknown } | null
      if (value?.v !== 1 || !Array.isArray(value.saves)) return []
      const saves = value.saves.filter(isSave)
      const damaged: unknown[] = value.saves.filter((s) => !isSave(s))
      return saves.length === 0 ? [] : [{ tab, saves, ...(damaged.length > 0 && { damaged }) }]
    } catch {
      return []
    }
  })
}

function isSave(value: unknown): value is Save {
  const { id, draft, base, stamp } = (value ?? {}) as Partial<Record<keyof Save, unknown>>
  const { workspace } = (draft ?? {}) as { workspace?: unknown }
  const known = typeof id === 'string' && typeof stamp === 'string' && (base === null || typeof base === 'string')
  return known && workspaceSchema.safeParse(workspace).success
}
