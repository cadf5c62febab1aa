/**
 * Saves each edit of the open workspace. If another tab has changed the workspace, the edits here become a copy, and this tab
 * continues with the copy.
 */
import { create } from 'zustand'
import type { Draft } from '../../workspace/library'
import { rememberOrigin } from './kept_ids'
import { isUnsaved, onSaveConflict, saveNow, saveSoon, stampNow, useSaving, writeAhead } from './saver'
import type { OpenPart } from './session'
import { listenToTabs } from './tabs'
import { newOrigin, useWorkspace } from './workspace_store'

/** What another tab did to the open workspace; shown until the user responds. */
export type TabNotice =
  /** Another tab saved it, and this tab has no edits. */
  | { kind: 'changed'; id: string }
  /** Both tabs edited it. */
  | { kind: 'copied'; name: string; copy: string }

export const useTabNotice = create<{ notice: TabNotice | null }>(() => ({ notice: null }))

/** The open workspace with the origin of its code. */
export function draftNow(): Draft {
  const { workspace, foreign, source } = useWorkspace.getState()
  return { workspace, foreign, ...(source !== null && { source }) }
}

/** Saves the open workspace soon although its version is unchanged, as after a rename. */
export const saveOpen = (): void => saveSoon(useWorkspace.getState().origin, draftNow())

/** Saves the open workspace after each edit, and pending edits when the session ends. */
export const autosavePart: OpenPart = () => {
  let opened: Draft | null = draftNow()
  const save = (): void => {
    saveSoon(useWorkspace.getState().origin, draftNow(), opened)
    opened = null
  }
  useTabNotice.setState(({ notice }) => ({ notice: notice?.kind === 'changed' ? null : notice }))
  return { onEdit: save, onConsent: save, dispose: () => void saveNow() }
}

/** Begins to keep edits when the page closes, and to follow other tabs. */
export function startSaving(): void {
  addEventListener('pagehide', writeAhead)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') writeAhead()
  })
  const ask = (e: BeforeUnloadEvent): void => {
    if (isUnsaved()) e.preventDefault()
  }
  useSaving.subscribe(({ problem }) => {
    if (problem === null) removeEventListener('beforeunload', ask)
    else addEventListener('beforeunload', ask)
  })
  onSaveConflict(keepAsCopy)
  listenToTabs((message) => {
    if (message.kind !== 'saved' || message.id !== useWorkspace.getState().origin) return
    // If this tab has edits, saving them detects the change.
    if (!isUnsaved(message.id) && message.stamp !== stampNow(message.id))
      useTabNotice.setState({ notice: { kind: 'changed', id: message.id } })
  })
}

function keepAsCopy(id: string, edits: Draft): void {
  const copy = newOrigin()
  const open = useWorkspace.getState().origin === id
  const draft = open ? draftNow() : edits
  const { name } = draft.workspace
  const workspace = { ...draft.workspace, name: `${name} (copy)` }
  saveSoon(copy, { ...draft, workspace })
  if (open) {
    // The session and the editor's undo continue; only the storage place of the edits changes.
    useWorkspace.setState({ origin: copy, workspace })
    rememberOrigin(copy)
  }
  useTabNotice.setState({ notice: { kind: 'copied', name, copy: workspace.name } })
}
