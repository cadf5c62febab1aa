/** Whether another site shows this page in a frame, where a click may not mean what its user sees. */

/** True if an ancestor of the window belongs to another origin. @param start tests pass a stand-in */
export function framedByOther(start: Window = window): boolean {
  for (let w = start; w.parent !== w; w = w.parent)
    try {
      // Throws for another origin, and for this page in a sandbox without allow-same-origin.
      if (w.parent.location.origin !== start.location.origin) return true
    } catch {
      return true
    }
  return false
}

/** True on the page that other sites may frame (embed.html): it runs no code, edits nothing and stores nothing. */
export const isEmbed = (): boolean =>
  typeof document !== 'undefined' && document.documentElement.dataset.embed !== undefined
