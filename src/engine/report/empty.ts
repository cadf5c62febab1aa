/** A report, a pass, an entry and a node without content: the base for summaries and for tests. */
import type { NodeView } from './graph_view'
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

/** A node without edges and values, also for what is only drawn as one. */
export const emptyNode = (name: string, op: string, target: string): NodeView => ({
  name,
  op,
  target,
  inner: null,
  family: 'other',
  dtype: null,
  shape: null,
  stride: null,
  device: null,
  args: [],
  kwargs: [],
  inputs: [],
  users: [],
  source: null,
  textLine: null,
})
