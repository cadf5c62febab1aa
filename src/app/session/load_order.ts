/**
 * Fetches large parts in turn: first what the page opens with, then the editor's text area, then (on a slow line, and
 * where a stored report is on screen already) Python. Each would take the network from the one before.
 */
function gate(): { promise: Promise<void>; open(): void } {
  let open = (): void => {}
  return { promise: new Promise<void>((resolve) => (open = resolve)), open: () => open() }
}

export const pageOpened = gate()
/** Opens too where the text area could not be loaded. */
export const editorFetched = gate()

/** An example that takes longer to arrive comes over a line on which the editor and Python would hold each other up. */
const SLOW_MS = 500

export const lineIsSlow = (): boolean =>
  performance.getEntriesByType('resource').some((e) => e.name.includes('/examples/') && e.duration > SLOW_MS)
