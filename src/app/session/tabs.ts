/** This tab among the tabs of the page: its name, its lock while it lives, and messages between tabs. */
import type { Stamp } from '../../workspace/library'

export type TabMessage =
  /** A workspace was saved. */
  | { kind: 'saved'; id: string; stamp: Stamp }
  /** Another change to the list of workspaces. */
  | { kind: 'listed' }

/** The name of this tab until it reloads. */
export const TAB = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`

const LOCK = 'fusescope:tab:'
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('fusescope')

/** Holds the lock that tells other tabs that this tab is alive. */
export function holdTabLock(): void {
  void navigator.locks?.request(LOCK + TAB, () => new Promise(() => {})).catch(() => undefined)
}

/** True if no living tab has this name; also true if the browser has no locks. */
export async function tabIsGone(tab: string): Promise<boolean> {
  if (tab === TAB) return false
  return (await navigator.locks?.request(LOCK + tab, { ifAvailable: true }, (lock) => lock !== null)) ?? true
}

export const tellTabs = (message: TabMessage): void => channel?.postMessage(message)

/** Calls back for each message of another tab. @returns a function that stops it */
export function listenToTabs(on: (message: TabMessage) => void): () => void {
  const listener = (e: MessageEvent<TabMessage>): void => on(e.data)
  channel?.addEventListener('message', listener)
  return () => channel?.removeEventListener('message', listener)
}
