/**
 * Runs that ended together with their page. A mark in storage names the tab while code runs and its report is drawn. A mark of a
 * tab that no longer exists means that the page crashed; the next opening then runs nothing until the user presses Run.
 */
import { browserStorage, keysAfter } from '../../../workspace/storage'
import { keepText } from '../kept_text'
import { perPage } from '../scope'
import { TAB, tabIsGone } from '../tabs'
import { Timer } from '../timer'

const KEY = 'fusescope:running:'
/** Time to draw a report, in ms: a report that crashes the page leaves its mark. */
const DRAWN_MS = 500

const page = perPage(() => ({
  clearing: new Timer(),
  /** True if a mark was found at the start and no workspace has taken it. */
  found: false,
  /** The newest run. The mark stays when an older run ends, because the newest run still waits. */
  newest: Symbol(),
}))

/**
 * The code of this tab starts to run, or waits for an older run to end.
 * @returns a function to call when the run has ended; its report is drawn next
 */
export function markRun(): () => void {
  const state = page()
  state.clearing.stop()
  keepText(KEY + TAB, '1')
  const run = (state.newest = Symbol())
  return () => {
    if (state.newest === run) state.clearing.restart(DRAWN_MS, clearMark)
  }
}

const clearMark = (): void => keepText(KEY + TAB, null)

/** Finds marks of tabs that no longer exist, and removes them. */
export async function findUncleanEnd(): Promise<void> {
  addEventListener('pagehide', clearMark)
  for (const tab of keysAfter(KEY, browserStorage())) {
    if (!(await tabIsGone(tab))) continue
    page().found = true
    keepText(KEY + tab, null)
  }
}

/** True once, for the first workspace after an unclean end. */
export function takeUncleanEnd(): boolean {
  const taken = page().found
  page().found = false
  return taken
}
