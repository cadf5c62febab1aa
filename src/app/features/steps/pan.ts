/** Pans a small graph that is larger than its pane, so that the current node is in view. */

export function revealMarked(pane: HTMLElement | null): void {
  const node = pane?.querySelector('[data-mark="current"], [data-mark="bad"]')
  if (!pane || !node) return
  const [box, at] = [pane.getBoundingClientRect(), node.getBoundingClientRect()]
  // Scrolls only this pane: scrollIntoView would move the panel too.
  pane.scrollTop += at.top + at.height / 2 - (box.top + box.height / 2)
  pane.scrollLeft += at.left + at.width / 2 - (box.left + box.width / 2)
}
