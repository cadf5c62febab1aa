/**
 * Fetches large parts one after another, so that they do not compete for the network: first the initial content, then,
 * once it is drawn, what Python starts from and the editor's text area; on a later visit, whose Python comes from the browser, so that they
 * do not compete for the processor. The text area is first on a slow connection if a stored report
 * is on screen, and whenever it is used.
 */
import { once } from '../../base/memoize'

function gate(): { promise: Promise<void>; open(): void } {
  let open = (): void => {}
  return { promise: new Promise<void>((resolve) => (open = resolve)), open: () => open() }
}

export const pageOpened = gate()
/** Also resolves if the text area fails to load. */
export const editorFetched = gate()
/** On a later visit, whose Python needs no network, once it has started. Also resolves if Python fails to load. */
export const pythonFetched = gate()
/** Somebody points at the text area, or wants to type in it. */
export const editorWanted = gate()

/** The text area does not wait longer for Python, in ms. */
const PYTHON_MS = 8000

/** Resolves when the text area may be fetched, after the initial content is drawn. */
export const editorsTurn = async (): Promise<void> => {
  if (lineIsSlow()) return
  const late = new Promise<void>((resolve) => setTimeout(resolve, PYTHON_MS))
  await Promise.race([pythonFetched.promise, editorWanted.promise, late])
}

/**
 * An example that takes longer to load, in ms, indicates a slow connection, on which the editor and Python would delay
 * each other.
 */
const SLOW_MS = 500

export const lineIsSlow = (): boolean =>
  performance.getEntriesByType('resource').some((e) => e.name.includes('/examples/') && e.duration > SLOW_MS)

/** A frame that is out of view draws nothing. In ms. */
const NO_FRAME_MS = 5000

/** Resolves after the frame that draws the initial content: what the stores hold at the first call. */
export const firstDrawn = once(
  (): Promise<void> =>
    new Promise((resolve) => {
      // A hidden page draws no frame.
      if (typeof document === 'undefined' || document.hidden) return resolve()
      setTimeout(resolve, NO_FRAME_MS)
      // The first callback comes before its frame is drawn.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
    }),
)
