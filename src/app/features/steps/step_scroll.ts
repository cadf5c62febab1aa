/** Scrolls the Steps panel, its one scroll area, to a row below the head, which stays in view. */

export function showBelowHead(row: HTMLElement): void {
  // On a narrow screen the page scrolls, and stays where the reader is.
  if (row.closest('[data-page-scrolls]')) return
  const panel = row.closest<HTMLElement>('[data-steps-scroll]')
  const head = panel?.querySelector<HTMLElement>('[data-steps-head]')
  if (!panel || !head) return
  const sticky = getComputedStyle(head).position === 'sticky'
  const box = panel.getBoundingClientRect()
  const top = box.top + (sticky ? head.offsetHeight : 0) + MARGIN
  const { top: rowTop, bottom } = row.getBoundingClientRect()
  if (rowTop < top) panel.scrollTop += rowTop - top
  else if (bottom > box.bottom - MARGIN) panel.scrollTop += bottom - box.bottom + MARGIN
}

/** Space kept above and below the row, in CSS pixels. */
const MARGIN = 40
