/**
 * The page's address and history: Back and Forward go between workspaces and selections, `?example=ID`, `?lesson=ID` and
 * `?from=URL` open an example, a lesson and a file. An entry's state names the workspace; the address does so too for examples and links.
 */
import { visibleText } from '../../base/escapes'
import type { Selection } from '../../workspace/types'
import { currentSession, OPENING } from './session'
import { toast, useView } from './view_store'
import { useWorkspace } from './workspace_store'

interface EntryState {
  origin: string
  selection?: Selection
}

/** How a history entry is opened again. */
export interface Openers {
  example(id: string): Promise<void>
  /** A link's fragment. */
  link(fragment: string): Promise<unknown>
  /** False if it is no longer stored. */
  stored(origin: string): Promise<boolean>
  isExample(origin: string): boolean
  /** The address names this workspace by a query, such as `?from=`, and the query stays in the address. */
  isNamed(origin: string): boolean
  /** Opens the content that the query names. */
  named(): Promise<unknown>
}

const LINK = /^#v\d+\./
/** A selection that lasts this long, in ms, becomes an entry; walking along edges creates none. */
const SETTLED_MS = 600

/** The example of `?example=ID`; null if the address names none. */
export const askedExample = (): string | null => new URLSearchParams(location.search).get('example')

export const isLink = (hash: string): boolean => LINK.test(hash)

/** Starts once the first workspace is open. @returns a function that stops it, for tests */
export function startAddress(openers: Openers): () => void {
  let shown = keyNow()
  const write = (how: 'pushState' | 'replaceState', state: EntryState, address?: string): void => {
    history[how](state, '', address)
    shown = keyNow()
  }
  const onOrigin = (origin: string): void => {
    const state = entryState()
    if (state?.origin === origin) return
    // A link typed into the address bar, and the page's first workspace, have an entry without a state.
    if (state === null && (isLink(location.hash) || askedExample() === origin)) return write('replaceState', { origin })
    if (openers.isNamed(origin)) return write('replaceState', { origin })
    write('pushState', { origin }, addressOf(origin, openers))
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const onSelection = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const { selection } = useView.getState()
      const state = entryState()
      if (!selection || !state || state.origin !== useWorkspace.getState().origin) return
      if (JSON.stringify(selection) === JSON.stringify(state.selection)) return
      write(state.selection ? 'pushState' : 'replaceState', { ...state, selection })
    }, SETTLED_MS)
  }
  const travel = (): void => {
    // Two events announce a change of the fragment.
    if (shown === keyNow()) return
    shown = keyNow()
    clearTimeout(timer)
    // Otherwise a load of an earlier entry could open over this one.
    currentSession().cancel(OPENING)
    void show(openers)
  }
  setTitle()
  if (entryState() === null) write('replaceState', { origin: useWorkspace.getState().origin })
  const stops = [
    useWorkspace.subscribe((s, before) => {
      if (s.workspace.name !== before.workspace.name) setTitle()
      if (s.origin !== before.origin) onOrigin(s.origin)
    }),
    useView.subscribe((s, before) => {
      if (s.selection !== before.selection) onSelection()
    }),
  ]
  addEventListener('popstate', travel)
  addEventListener('hashchange', travel)
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
    removeEventListener('popstate', travel)
    removeEventListener('hashchange', travel)
  }
}

/** Shows the content of the current entry. */
async function show(openers: Openers): Promise<void> {
  const state = entryState()
  const key = keyNow()
  const { origin } = useWorkspace.getState()
  if (state === null && isLink(location.hash)) return void (await openers.link(location.hash))
  const wanted = state?.origin ?? askedExample()
  if (wanted === null) return
  if (wanted !== origin) {
    if (openers.isExample(wanted)) await openers.example(wanted)
    else if (isLink(location.hash)) await openers.link(location.hash)
    else if (await openers.stored(wanted)) {
      // Its edits are shown.
    } else if (key !== keyNow()) return
    else if (openers.isNamed(wanted)) await openers.named()
    else toast('That workspace is not stored any more.', { tone: 'bad' })
  }
  if (state?.selection && useWorkspace.getState().origin === wanted) useView.getState().select(state.selection)
}

function entryState(): EntryState | null {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'origin' in state ? (state as EntryState) : null
}

/** Identifies an entry. */
const keyNow = (): string => `${location.href}\n${JSON.stringify(history.state)}`

function addressOf(origin: string, { isExample }: Openers): string {
  const address = new URL(pageAddress())
  if (isExample(origin)) address.searchParams.set('example', origin)
  return address.href
}

/** The page's address without the part that names a workspace: links add their fragment. */
export function pageAddress(): string {
  const address = new URL(location.href)
  address.hash = ''
  for (const name of ['example', 'lesson', 'step', 'from', 'file']) address.searchParams.delete(name)
  return address.href
}

function setTitle(): void {
  const name = visibleText(useWorkspace.getState().workspace.name)
  document.title = name === '' ? 'Fusescope' : `${name} – Fusescope`
}
