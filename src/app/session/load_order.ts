/**
 * Fetches large parts one after another, so that they do not compete for the network: first the initial content, then
 * the editor's text area, then Python (deferred on a slow connection if a stored report is on screen).
 */
function gate(): { promise: Promise<void>; open(): void } {
  let open = (): void => {}
  return { promise: new Promise<void>((resolve) => (open = resolve)), open: () => open() }
}

export const pageOpened = gate()
/** Also resolves if the text area fails to load. */
export const editorFetched = gate()

/**
 * An example that takes longer to load, in ms, indicates a slow connection, on which the editor and Python would delay
 * each other.
 */
const SLOW_MS = 500

export const lineIsSlow = (): boolean =>
  performance.getEntriesByType('resource').some((e) => e.name.includes('/examples/') && e.duration > SLOW_MS)
