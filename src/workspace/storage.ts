/** Local storage, which may fail at any time, and the drafts that earlier versions stored there. */
import { err, ok, type Result } from '../base/result'
import { FOREIGN, type ForeignCode } from './code_origin'
import type { Draft } from './library/types'
import { firstIssue, workspaceSchema } from './schema'
import { problem } from './versions'

/** The part of `localStorage` that is used; tests use a Map. */
export interface KeyValueStore {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

const DRAFT = 'fusescope:draft:'
const WHERE = 'browser storage'

/** The browser's own storage, or null if reading the property already throws. */
export function browserStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null
  } catch {
    return null
  }
}

/** Keys of a storage that have a prefix, without the prefix; empty if the storage fails. */
export function keysAfter(prefix: string, store: Storage | null): string[] {
  try {
    if (!store) return []
    const keys = Array.from({ length: store.length }, (_, i) => store.key(i) ?? '')
    return keys.filter((k) => k.startsWith(prefix)).map((k) => k.slice(prefix.length))
  } catch {
    return []
  }
}

/** The ids of drafts in local storage. */
export const draftIds = (store: Storage | null): string[] => keysAfter(DRAFT, store)

/** A draft; null if there is none; a Problem if it cannot be read. */
export function readDraft(store: KeyValueStore, id: string): Result<Draft | null> {
  const text = store.getItem(DRAFT + id)
  if (text === null) return ok(null)
  try {
    const value = JSON.parse(text) as { v?: unknown; workspace?: unknown; foreign?: ForeignCode | null } | null
    if (value?.v !== 1) return err(problem(WHERE, 'The saved draft was written by another version of Fusescope.'))
    const parsed = workspaceSchema.safeParse(value.workspace)
    if (parsed.success) return ok({ workspace: parsed.data, foreign: foreignOf(id, value.foreign) })
    return err(problem(WHERE, `The saved draft is damaged: ${firstIssue(parsed.error)}.`))
  } catch {
    return err(problem(WHERE, 'The saved draft is damaged: it is not valid JSON.'))
  }
}

export const dropDraft = (store: KeyValueStore, id: string): void => store.removeItem(DRAFT + id)

/** Drafts of the first versions do not say whose code they hold, so a link's draft needs consent. */
function foreignOf(id: string, stored: ForeignCode | null | undefined): ForeignCode | null {
  if (stored === undefined) return id.startsWith('link:') ? FOREIGN : null
  return stored && { allowed: typeof stored.allowed === 'string' ? stored.allowed : null }
}
