/** Drafts in the browser, one per origin of a workspace (an example's id, or `own`). Storage may fail at any time. */
import { err, ok, type Problem, type Result } from '../base/result'
import { FOREIGN, type ForeignCode } from './code_origin'
import { firstIssue, workspaceSchema } from './schema'
import type { Workspace } from './types'
import { problem } from './versions'

/** The part of `localStorage` that is used; tests use a Map. */
export interface KeyValueStore {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** A workspace with the origin of its code. */
export interface Draft {
  workspace: Workspace
  foreign: ForeignCode | null
}

export interface DraftStore {
  /** Saves a workspace. A full or blocked storage is a Problem, never an exception. */
  save(origin: string, draft: Draft): Problem | null
  /** The draft; null if there is none; a Problem if it cannot be read. */
  load(origin: string): Result<Draft | null>
  drop(origin: string): void
  /** The origin of the last edited workspace. */
  last(): string | null
  setLast(origin: string): void
}

const DRAFT = 'fusescope:draft:'
const LAST = 'fusescope:last'
const WHERE = 'browser storage'

/** @param store null if the browser has none (private windows, blocked cookies) */
export function createDraftStore(store: KeyValueStore | null): DraftStore {
  const put = (key: string, text: string): Problem | null => {
    try {
      if (!store) return refused('This browser provides no storage for this page')
      store.setItem(key, text)
      return null
    } catch (e) {
      const full = e instanceof Error && /quota/i.test(`${e.name} ${e.message}`)
      return refused(full ? 'The browser storage is full' : 'This browser refused to save a copy')
    }
  }
  const get = (key: string): string | null => {
    try {
      return store?.getItem(key) ?? null
    } catch {
      return null
    }
  }
  return {
    save: (origin, { workspace, foreign }) => put(DRAFT + origin, JSON.stringify({ v: 1, workspace, foreign })),
    load(origin) {
      const text = get(DRAFT + origin)
      if (text === null) return ok(null)
      try {
        const value = JSON.parse(text) as { v?: unknown; workspace?: unknown; foreign?: ForeignCode | null } | null
        if (value?.v !== 1) return err(problem(WHERE, 'The saved draft was written by another version of Fusescope.'))
        const parsed = workspaceSchema.safeParse(value.workspace)
        if (parsed.success) return ok({ workspace: parsed.data, foreign: foreignOf(origin, value.foreign) })
        return err(problem(WHERE, `The saved draft is damaged: ${firstIssue(parsed.error)}.`))
      } catch {
        return err(problem(WHERE, 'The saved draft is damaged: it is not valid JSON.'))
      }
    },
    drop(origin) {
      try {
        store?.removeItem(DRAFT + origin)
      } catch {
        // Storage that cannot be written contains no draft.
      }
    },
    last: () => get(LAST),
    setLast: (origin) => void put(LAST, origin),
  }
}

/** The browser's own storage, or null where reading the property alone throws. */
export function browserStorage(): KeyValueStore | null {
  try {
    return globalThis.localStorage ?? null
  } catch {
    return null
  }
}

/** Drafts of earlier versions do not say whose code they hold: that of a link asks. */
function foreignOf(origin: string, stored: ForeignCode | null | undefined): ForeignCode | null {
  if (stored === undefined) return origin.startsWith('link:') ? FOREIGN : null
  return stored && { allowed: typeof stored.allowed === 'string' ? stored.allowed : null }
}

function refused(reason: string): Problem {
  return problem(WHERE, `${reason}: use Share or save a file to keep your work.`)
}
