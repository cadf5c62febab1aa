/**
 * Runs that ended with their page. A mark in storage names the tab while code runs and its report is drawn; a mark of a
 * tab that is gone means that the page crashed, so the next opening runs nothing until the user presses Run.
 */
import { perPage } from './scope'
import { TAB, tabIsGone } from './tabs'
import { Timer } from './timer'

const KEY = 'fusescope:running:'
/** Time to draw a report, in ms: a report that ends the page leaves its mark. */
const DRAWN_MS = 500

const page = perPage(() => ({
  clearing: new Timer(),
  /** A mark was found at the start, and no workspace has taken it. */
  found: false,
  /** The newest run: the end of an older one, behind which it waits, leaves the mark. */
  newest: Symbol(),
}))

/**
 * The code of this tab starts to run, or waits for the end of an older run.
 * @returns to be called when the run has ended; its report is drawn next
 */
export function markRun(): () => void {
  const state = page()
  state.clearing.stop()
  withStorage((storage) => storage.setItem(KEY + TAB, '1'))
  const run = (state.newest = Symbol())
  return () => {
    if (state.newest === run) state.clearing.restart(DRAWN_MS, clearMark)
  }
}

function clearMark(): void {
  withStorage((storage) => storage.removeItem(KEY + TAB))
}

/** Looks for marks of tabs that are gone, and removes them. */
export async function findUncleanEnd(): Promise<void> {
  addEventListener('pagehide', clearMark)
  const marks: string[] = []
  withStorage((storage) => {
    for (let i = 0; i < storage.length; i++) if (storage.key(i)!.startsWith(KEY)) marks.push(storage.key(i)!)
  })
  for (const mark of marks) {
    if (!(await tabIsGone(mark.slice(KEY.length)))) continue
    page().found = true
    withStorage((storage) => storage.removeItem(mark))
  }
}

/** True once, for the first workspace after an unclean end. */
export function takeUncleanEnd(): boolean {
  const taken = page().found
  page().found = false
  return taken
}

/** Storage may be denied; a page without it cannot know how it ended. */
function withStorage(apply: (storage: Storage) => void): void {
  try {
    apply(localStorage)
  } catch {
    return
  }
}
