/**
 * Fetches large parts one after another, so that they do not compete for the network. The initial content comes first; once it is
 * drawn, the files that start Python, then the editor's text area. On a later visit Python comes from the browser's cache, and the
 * order keeps the parts from competing for the processor. The text area comes first on a slow connection if a stored report is on
 * screen, and whenever it is used.
 */
import { once } from '../../base/memoize'

function gate(): { promise: Promise<void>; open(): void } {
  let open = (): void => {}
  return { promise: new Promise<void>((resolve) => (open = resolve)), open: () => open() }
}

export const pageOpened = gate()
/** Also resolves if the text area fails to load. */
export const editorFetched = gate()
/** On a later visit, resolves once Python, which needs no network, has started. Also resolves if Python fails to load. */
export const pythonFetched = gate()
/** The user points at the text area, or wants to type in it. */
export const editorWanted = gate()

/** Maximum time that the text area waits for Python, in ms. */
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

/** Maximum wait for a frame, in ms: a frame out of view draws nothing. */
const NO_FRAME_MS = 5000

/** Resolves after the frame that draws the initial content: the stores' state at the first call. */
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
