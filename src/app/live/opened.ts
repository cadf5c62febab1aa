/**
 * What is big is fetched in turn: first what the page opens with, then the editor's text area, then (where a stored
 * report is on screen already) Python. On a slow line each would take the network from the one before.
 */
function gate(): { promise: Promise<void>; open(): void } {
  let open = (): void => {}
  return { promise: new Promise<void>((resolve) => (open = resolve)), open: () => open() }
}

export const pageOpened = gate()
/** Opens too where the text area could not be loaded. */
export const editorFetched = gate()
