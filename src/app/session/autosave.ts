/**
 * Saves each edit in local storage under the workspace's origin and restores it after a reload. Origins: an example's
 * id, `link:<hash of the fragment>`, `own:<when it was begun>`. A full or blocked storage is reported once.
 */
import { create } from 'zustand'
import type { OpenPart } from './session'
import { useView } from './view_store'
import { useWorkspace } from './workspace_store'
import { browserStorage, createDraftStore, type Draft } from '../../workspace'

/** The list of drafts that belong to no example, newest first. */
const INDEX = 'fusescope:drafts'
/** Maximum number of such drafts; the oldest are deleted first. */
const KEPT = 12

const storage = browserStorage()
const drafts = createDraftStore(storage)
let pending: ReturnType<typeof setTimeout> | undefined
let warned = false

export interface DraftInfo {
  origin: string
  name: string
  /** Date.now() of the last edit. */
  at: number
}

/** Drafts that belong to no example, newest first; the picker lists them. */
export const useDrafts = create<{ list: DraftInfo[] }>(() => ({ list: [] }))

/** Fills the list of drafts from local storage. */
export function loadDraftIndex(): void {
  useDrafts.setState({ list: readIndex() })
}

/** Pause after the last keystroke before the draft is written, in ms. */
const SAVE_AFTER_MS = 250

/** Saves the draft after each edit, and a pending draft when the session or the page ends. */
export const autosavePart: OpenPart = () => {
  addEventListener('pagehide', flush)
  return {
    onEdit: saveSoon,
    onConsent: saveSoon,
    dispose() {
      flush()
      removeEventListener('pagehide', flush)
    },
  }
}

/** Saves the open workspace as a draft after a short pause. */
export function saveSoon(): void {
  clearTimeout(pending)
  pending = setTimeout(flush, SAVE_AFTER_MS)
}

export function flush(): void {
  const { workspace, origin, foreign } = useWorkspace.getState()
  write(origin, { workspace, foreign })
}

/** Writes the pending draft, if there is one. */
function write(origin: string, draft: Draft): void {
  if (pending === undefined) return
  clearTimeout(pending)
  pending = undefined
  const problem = drafts.save(origin, draft)
  if (problem) {
    if (!warned) useView.getState().toast(problem.message, { tone: 'bad' })
    warned = true
    return
  }
  drafts.setLast(origin)
  if (isLoose(origin)) listed({ origin, name: draft.workspace.name, at: Date.now() })
}

/**
 * The draft of an example, a link or the user's own work; null if there is none. Reports a damaged draft in a toast.
 */
export function draftOf(origin: string): Draft | null {
  const draft = drafts.load(origin)
  if (draft.ok) return draft.value
  useView.getState().toast(draft.error.message, { tone: 'bad' })
  return null
}

export function dropDraft(origin: string): void {
  clearTimeout(pending)
  pending = undefined
  drafts.drop(origin)
}

export const lastOrigin = (): string | null => drafts.last()
export const rememberOrigin = (origin: string): void => drafts.setLast(origin)

const isLoose = (origin: string): boolean => /^(own|link):/.test(origin)

function listed(info: DraftInfo): void {
  const list = [info, ...useDrafts.getState().list.filter((d) => d.origin !== info.origin)]
  for (const old of list.splice(KEPT)) drafts.drop(old.origin)
  useDrafts.setState({ list })
  try {
    storage?.setItem(INDEX, JSON.stringify(list))
  } catch {
    // The draft itself is saved; only its entry in the picker is lost when the page closes.
  }
}

function readIndex(): DraftInfo[] {
  try {
    const value: unknown = JSON.parse(storage?.getItem(INDEX) ?? '[]')
    return Array.isArray(value) ? value.filter(isInfo).slice(0, KEPT) : []
  } catch {
    return []
  }
}

function isInfo(value: unknown): value is DraftInfo {
  const d = value as Partial<DraftInfo> | null
  return typeof d?.origin === 'string' && isLoose(d.origin) && typeof d.name === 'string' && typeof d.at === 'number'
}
