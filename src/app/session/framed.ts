/**
 * Tells whether another site controls this page, in a frame or as the opener of its window: a click may then not mean what its user
 * sees.
 */

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

/**
 * True if a page of another origin opened this window and can still change its address. Under the header
 * `Cross-Origin-Opener-Policy` there is no such opener; hosts that send no headers leave it. @param start tests pass a stand-in
 */
export function openedByOther(start: Window = window): boolean {
  try {
    const opener = start.opener as Window | null
    return opener !== null && opener !== undefined && opener.location.origin !== start.location.origin
  } catch {
    return true
  }
}

/** True on the page that other sites may frame (embed.html): it runs no code, edits nothing and stores nothing. */
export const isEmbed = (): boolean =>
  typeof document !== 'undefined' && document.documentElement.dataset.embed !== undefined
