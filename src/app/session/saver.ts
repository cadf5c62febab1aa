/**
 * Saves workspaces in the library, one write at a time. An edit is written within SAVE_AFTER_MS, however fast the next edits
 * follow. Unwritten edits go to the journal when the page is hidden. Edits that cannot be written stay in memory and are retried.
 */
import { create } from 'zustand'
import { messageOf } from '../../base/error_message'
import { ok, type Problem, type Result } from '../../base/result'
import { browserStorage } from '../../workspace'
import {
  Library,
  stampOf,
  writeJournal,
  type Draft,
  type Save,
  type Stamp,
  type VersionReason,
} from '../../workspace/library'
import { addKeptId } from './kept_ids'
import { perPage } from './scope'
import { TAB, tellTabs } from './tabs'
import { Timer } from './timer'
import { toast } from './view_store'

/** Time from an edit to its write, in ms. */
export const SAVE_AFTER_MS = 300
/** Pause before a failed write is tried again, in ms. */
const RETRY_MS = 5000
/** During edits, the stored state becomes a version this often, in ms. */
const VERSION_EVERY_MS = 5 * 60_000

export const library = new Library()

export const useSaving = create(() => ({
  /** Why work is not saved, one sentence; null if it is saved, or will be in a moment. */
  problem: null as string | null,
  /** Number of times that everything was saved. */
  saves: 0,
}))

interface Unsaved {
  draft: Draft
  /** State of the workspace when it was opened, to keep as a version before the first edit. */
  opened: Draft | null
}

const page = perPage(() => ({
  /** Edits that the library does not have yet, by id. */
  unsaved: new Map<string, Unsaved>(),
  /** The stored state that each workspace of this tab began from or was last saved as. */
  stamps: new Map<string, Stamp>(),
  /** When a version of a workspace was last kept, Date.now(). */
  versionAt: new Map<string, number>(),
  count: 0,
  next: new Timer(),
  writing: Promise.resolve(),
  /** True while a write is in progress. */
  busy: false,
  journaled: false,
  onConflict: (_id: string, _draft: Draft): void => {},
}))

/** Sets the handler for edits of a workspace that another tab has changed. */
export const onSaveConflict = (then: (id: string, draft: Draft) => void): void => void (page().onConflict = then)

export const nextStamp = (): Stamp => stampOf(TAB, ++page().count)

/** True if the library does not have the newest state of a workspace, or of any. */
export const isUnsaved = (id?: string): boolean => (id === undefined ? page().unsaved.size > 0 : page().unsaved.has(id))

/** The stored state that this tab knows of a workspace. */
export const stampNow = (id: string): Stamp | undefined => page().stamps.get(id)

/** Saves a state of a workspace soon. @param opened its state before the first edit of this opening */
export function saveSoon(id: string, draft: Draft, opened: Draft | null = null): void {
  const { unsaved, next } = page()
  unsaved.set(id, { draft, opened: unsaved.get(id)?.opened ?? opened })
  // Not restarted: a pause would never come while somebody types.
  next.begin(SAVE_AFTER_MS, () => void saveNow())
}

/** Writes unsaved edits, and resolves when none are left or the storage has failed. */
export function saveNow(): Promise<void> {
  const state = page()
  state.next.stop()
  // A slow write must not delay writing the next edits to the journal, which survives a crash.
  if (state.busy) writeToJournal()
  // Runs after the current write, which may have included the last edits.
  state.writing = state.writing.then(writeAll)
  return state.writing
}

async function writeAll(): Promise<void> {
  page().busy = true
  try {
    await writeEach()
  } finally {
    page().busy = false
  }
}

async function writeEach(): Promise<void> {
  for (let oldest = first(); oldest; oldest = first()) {
    const [id, entry] = oldest
    try {
      await write(id, entry)
    } catch (e) {
      useSaving.setState({ problem: reasonOf(e) })
      page().next.begin(RETRY_MS, () => void saveNow())
      return
    }
  }
  useSaving.setState(({ saves }) => ({ problem: null, saves: saves + 1 }))
  clearJournal()
}

const first = (): [string, Unsaved] | undefined => page().unsaved.entries().next().value

async function write(id: string, entry: Unsaved): Promise<void> {
  const { unsaved, stamps, versionAt, onConflict } = page()
  if (entry.opened) {
    await library.keepVersion(id, entry.opened, { kind: 'opened' })
    versionAt.set(id, Date.now())
    entry.opened = null
  }
  const kept = versionAt.get(id)
  // A clock that was set back must not stop versions until it catches up.
  const keepStored = kept !== undefined && Math.abs(Date.now() - kept) > VERSION_EVERY_MS
  const save = saveOf(id, entry)
  const saved = await library.save({ ...save, keepStored })
  const newest = unsaved.get(id)!
  if (!saved) {
    unsaved.delete(id)
    onConflict(id, newest.draft)
    return
  }
  const isNew = !stamps.has(id)
  stamps.set(id, save.stamp)
  if (keepStored) versionAt.set(id, Date.now())
  if (newest === entry) unsaved.delete(id)
  if (isNew) addKeptId(id)
  tellTabs({ kind: 'saved', id, stamp: save.stamp })
}

const saveOf = (id: string, { draft }: Unsaved): Save => ({
  id,
  draft,
  base: page().stamps.get(id) ?? null,
  stamp: nextStamp(),
})

/** The newest state of a workspace: the unwritten state of this tab, or the library's. */
export async function keptDraft(id: string): Promise<Result<Draft | null>> {
  const own = page().unsaved.get(id)
  if (own) return ok(own.draft)
  try {
    const kept = await library.load(id)
    if (!kept.ok || !kept.value) return kept
    const { stamp, ...draft } = kept.value
    page().stamps.set(id, stamp)
    return ok(draft)
  } catch {
    // Without storage there is nothing; the sign appears with the first edit that is not kept.
    return ok(null)
  }
}

/** Keeps a state of a workspace as a version. Without storage there are none. */
export async function keepVersion(id: string, draft: Draft, why: VersionReason): Promise<void> {
  await library.keepVersion(id, draft, why).catch(() => undefined)
}

/** Sets the library's state of a workspace; undefined: no state that edits here build on. */
export function setStamp(id: string, stamp: Stamp | undefined): void {
  if (stamp === undefined) page().stamps.delete(id)
  else page().stamps.set(id, stamp)
}

/** Writes unsaved edits to storage that survives the end of the page, and begins to save them. */
export function writeAhead(): void {
  if (page().unsaved.size === 0) return
  writeToJournal()
  void saveNow()
}

function writeToJournal(): void {
  const saves = [...page().unsaved].map(([id, entry]) => saveOf(id, entry))
  if (writeJournal(browserStorage(), { tab: TAB, saves })) page().journaled = true
}

function clearJournal(): void {
  if (page().journaled) writeJournal(browserStorage(), { tab: TAB, saves: [] })
  page().journaled = false
}

/** Why the browser did not store, in one sentence. */
export function reasonOf(e: unknown): string {
  const name = e instanceof Error ? e.name : ''
  if (name === 'VersionError')
    return 'A newer Fusescope has upgraded the workspaces of this browser: they open here, but edits are not kept until this page is as new: reload it.'
  if (/quota/i.test(`${name} ${messageOf(e)}`)) return 'The browser’s storage is full.'
  if (/^(Security|InvalidState|Unknown|NotAllowed)Error$/.test(name) || typeof indexedDB === 'undefined')
    return 'The browser gives this page no storage.'
  return `The browser did not store the workspace: ${messageOf(e)}.`
}

/** A Problem of the library in a sentence. */
export const problemText = (problem: Problem): string => problem.message

/** Runs an action on the storage; a refusal of the browser becomes a toast. @returns false if it refused */
export async function trying(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action()
    return true
  } catch (e) {
    toast(reasonOf(e), { tone: 'bad' })
    return false
  }
}
