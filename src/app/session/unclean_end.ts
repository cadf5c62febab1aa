/**
 * Runs that ended with their page. A mark in storage names the tab while code runs and its report is drawn; a mark of a
 * tab that is gone means that the page crashed, so the next opening runs nothing until the user presses Run.
 */
import { TAB, tabIsGone } from './tabs'

const KEY = 'fusescope:running:'
/** Time to draw a report, in ms: a report that ends the page leaves its mark. */
const DRAWN_MS = 500

let found = false
let clearing: ReturnType<typeof setTimeout> | undefined

/** Counts runs: the end of an older one, behind which the newest waits, leaves its mark. */
let newest = 0

/**
 * The code of this tab starts to run, or waits for the end of an older run.
 * @returns to be called when the run has ended; its report is drawn next
 */
export function markRun(): () => void {
  clearTimeout(clearing)
  withStorage((storage) => storage.setItem(KEY + TAB, '1'))
  const run = ++newest
  return () => {
    if (run !== newest) return
    clearTimeout(clearing)
    clearing = setTimeout(clearMark, DRAWN_MS)
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
    found = true
    withStorage((storage) => storage.removeItem(mark))
  }
}

/** True once, for the first workspace after an unclean end. */
export function takeUncleanEnd(): boolean {
  const taken = found
  found = false
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
