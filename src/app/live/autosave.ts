/**
 * Nothing typed is lost: each edit is put into local storage under the workspace's origin, and found there after a
 * reload. A full or refused storage is said once.
 */
import { useView } from '../stores/view'
import { useWorkspace } from '../stores/workspace'
import type { Workspace } from '../../workspace/types'

const PREFIX = 'fusescope:draft:'
const LAST = 'fusescope:last'
let pending: ReturnType<typeof setTimeout> | undefined
let warned = false

export function watchForAutosave(): () => void {
  const stop = useWorkspace.subscribe((now, before) => {
    if (now.version === before.version || now.origin !== before.origin) return
    clearTimeout(pending)
    pending = setTimeout(flush, 250)
  })
  addEventListener('pagehide', flush)
  return () => {
    removeEventListener('pagehide', flush)
    stop()
  }
}

export function flush(): void {
  if (pending === undefined) return
  clearTimeout(pending)
  pending = undefined
  const { workspace, origin } = useWorkspace.getState()
  put(PREFIX + origin, JSON.stringify({ v: 1, workspace }))
}

/** The draft of an example or of the person's own work; null when there is none or it cannot be read. */
export function draftOf(origin: string): Workspace | null {
  try {
    const text = localStorage.getItem(PREFIX + origin)
    const value: unknown = text === null ? null : JSON.parse(text)
    return isDraft(value) ? value.workspace : null
  } catch {
    return null
  }
}

export function dropDraft(origin: string): void {
  clearTimeout(pending)
  pending = undefined
  try {
    localStorage.removeItem(PREFIX + origin)
  } catch {
    // Nothing was kept then.
  }
}

export function lastOrigin(): string | null {
  try {
    return localStorage.getItem(LAST)
  } catch {
    return null
  }
}

export function rememberOrigin(origin: string): void {
  put(LAST, origin)
}

function put(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    if (!warned)
      useView
        .getState()
        .toast('This browser refused to keep a copy of your work: use Share to keep it.', { tone: 'bad' })
    warned = true
  }
}

function isDraft(value: unknown): value is { v: 1; workspace: Workspace } {
  const w = (value as { v?: unknown; workspace?: Partial<Workspace> } | null)?.workspace
  return (
    (value as { v?: unknown }).v === 1 &&
    typeof w?.name === 'string' &&
    typeof w.graph?.text === 'string' &&
    Array.isArray(w.files) &&
    w.files.every((f) => typeof f?.name === 'string' && typeof f?.text === 'string') &&
    typeof w.options?.timeLimitS === 'number'
  )
}
