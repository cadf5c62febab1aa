/** A report, a pass and an entry without content: the base for summaries and for tests. */
import type { EntryReport, PassReport } from './pass_types'
import type { Report } from './types'

export const emptyReport = (): Report => ({
  v: 1,
  graph: { nodes: [], problems: [] },
  after: null,
  passes: [],
  tree: [],
  python: null,
  problems: [],
  console: [],
  stubs: [],
  inferredOps: [],
  timings: { parseMs: 0, pythonMs: 0, applyMs: 0, totalMs: 0 },
})

export const emptyPass = (name: string): PassReport => ({
  name,
  count: 0,
  applyError: null,
  entries: [],
  attempts: [],
  matches: [],
  nearMisses: [],
  passName: null,
  applyMs: 0,
})

export const emptyEntry = (index: number, title: string): EntryReport => ({
  index,
  title,
  source: null,
  bindings: {},
  text: '',
  keys: [],
  replacement: null,
  replacementError: null,
  fired: 0,
  pattern: { nodes: [], problems: [] },
})
