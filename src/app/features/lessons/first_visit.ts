/** Tells whether this is the browser's first visit, and holds the edit that its strip offers. */
import { create } from 'zustand'
import { lastOrigin } from '../../session/kept_ids'
import { keepText, keptText } from '../../session/kept_text'
import { pageOpened } from '../../session/load_order'
import { useWorkspace } from '../../session/workspace_store'

const KEY = 'fusescope:visited'

/** The edit of the first example after which its pattern misses. */
export const TRY = { file: 'fusion.py', whole: 'EPSILON = 1e-6', broken: 'EPSILON = 1e-5' } as const

/** Loads of the page within this time after the first one belong to the first visit, in ms. */
const VISIT_MS = 30 * 60_000

/** The stored value after the strip was closed; before that, the time of the first load. */
const CLOSED = '1'

export const useFirstVisit = create<{ shown: boolean }>(() => ({ shown: isFirst() }))

/** False after the user closed the strip or on a later visit, and for an address that names content. */
function isFirst(): boolean {
  if (location.search !== '' || location.hash !== '' || lastOrigin() !== null) return false
  if (keptText(KEY) === null) keepText(KEY, String(Date.now()))
  const kept = keptText(KEY)
  // Without storage every visit would count as the first one, and the strip would always appear.
  return kept !== null && kept !== CLOSED && Date.now() - Number(kept) < VISIT_MS
}

export function hideFirstVisit(): void {
  useFirstVisit.setState({ shown: false })
  keepText(KEY, CLOSED)
}

/** The strip closes when another workspace or graph opens. */
export function startFirstVisit(): void {
  if (!useFirstVisit.getState().shown) return
  void pageOpened.promise.then(() => {
    const { origin, workspace } = useWorkspace.getState()
    const stop = useWorkspace.subscribe((s) => {
      // The user's graph has a different name.
      if (s.origin === origin && s.workspace.graph.name === workspace.graph.name) return
      hideFirstVisit()
      stop()
    })
  })
}
