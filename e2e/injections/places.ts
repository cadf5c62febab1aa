/**
 * Places of the page that show text of strangers. Each holds a tag with a number; the browser test (e2e/injections.spec.ts)
 * walks through the page and expects each tag as text, none as an element.
 */
export interface PagePlace {
  readonly from: string
  readonly into: string
}

export const PAGE_PLACES: Readonly<Record<number, PagePlace>> = {
  1: { from: 'the name of a workspace', into: 'the header and the title of the page' },
  2: { from: 'the name of a graph', into: 'the graph picker' },
  3: { from: 'the name of a Python file', into: 'the tabs of files' },
  4: { from: 'the text of a Python file', into: 'the editor' },
  5: { from: 'a string argument of a node', into: 'the facts of a node' },
  6: { from: 'a metadata comment of a graph (stack trace)', into: 'the facts of a node' },
  7: { from: 'the name of a pass', into: 'the tree of patterns' },
  8: { from: 'the name of a search function', into: 'the tree of patterns' },
  9: { from: 'a line that Python prints', into: 'the console' },
  10: { from: 'a line that Python prints on stderr', into: 'the console' },
  11: { from: 'a warning of Python', into: 'the console' },
  12: { from: 'an exception of extra_check', into: 'Why not' },
  13: { from: 'the message of an exception', into: 'the failure of a run' },
  14: { from: 'the type of an exception', into: 'the failure of a run' },
  15: { from: 'the name of a missing module', into: 'the notice of stubs' },
  16: { from: 'a line of a graph that cannot be read', into: 'the banner of problems' },
  17: { from: 'the name of a dropped file', into: 'the message about it' },
  18: { from: 'the text of a search', into: 'the search box' },
  19: { from: 'a query of the command palette', into: 'the palette' },
  20: { from: 'the parameter `example` of an address', into: 'the message about it' },
  21: { from: 'the name of a kernel', into: 'the tabs of files and the problems of Run' },
  22: { from: 'a header of a kernel', into: 'the problems of Run' },
}
