/** Scrolls an element of a panel into view, but not a page whose panels are stacked (`data-page-scrolls`). */
export function showInPanel(element: Element | null | undefined): void {
  if (element && !element.closest('[data-page-scrolls]')) element.scrollIntoView({ block: 'nearest' })
}
