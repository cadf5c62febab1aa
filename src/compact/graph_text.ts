/** Decides whether a text is a printed graph, so that its rows and a few flags are enough to print it again. */
import type { Graph } from '../fx/graph/graph'
import { printGraph } from '../fx/printers/print_graph'
import { printReadable } from '../fx/printers/print_readable'
import { read } from '../fx/readers/read'

export interface PrintForm {
  /** False: print_readable. */
  fx: boolean
  /** The other fields apply to print_readable. */
  stride: boolean
  device: boolean
  /** False: comment lines, with the empty line before each, are left out. */
  comments: boolean
  className: string
}

export interface GraphText {
  graph: Graph
  form: PrintForm
  before: string
  after: string
}

/** Maximum text kept around the graph; a graph inside a longer text is coded as text. */
const MAX_AROUND = 4000

/**
 * Reads a text that one of our printers can print again byte for byte; null for others.
 * @param comments false leaves out source comments, which are then not compared
 */
export function graphTextOf(text: string, comments = true): GraphText | null {
  if (!/^\s*graph\(\):|^\s*class \S+\(|^\s*def forward\(/m.test(text)) return null
  const reading = read(text, '')
  if (reading.candidates.length !== 1 || reading.problems.length > 0) return null
  const { graph } = reading
  const plain = /^[ \t]*#/m.test(text) && comments
  const className = /^\s*class ([^\s(]+)\(/m.exec(text)?.[1] ?? '<lambda>'
  const form: PrintForm = {
    fx: reading.form === 'fx',
    stride: /"\w+\[[^\]"]*\]\[/.test(text),
    device: /"\w+\[[^"]*\][a-z]+(?::\d+)?"/.test(text),
    comments: plain,
    className,
  }
  const body = comments ? text : withoutComments(text)
  if (!comments) dropSources(graph)
  const printed = printAs(graph, form)
  const at = body.indexOf(printed)
  if (at < 0) return null
  const before = body.slice(0, at)
  const after = body.slice(at + printed.length)
  return before.length + after.length > MAX_AROUND ? null : { graph, form, before, after }
}

export function printAs(graph: Graph, form: PrintForm): string {
  if (form.fx) return printGraph(graph)
  const text = printReadable(graph, form)
  return form.comments ? text : withoutComments(text)
}

/** Leaves out the lines of comments that print_readable writes above nodes, with the empty line before each. */
export function withoutComments(text: string): string {
  return text.replace(/\n(?=\n[ \t]*#)/g, '').replace(new RegExp(SOURCE_COMMENT, 'gm'), '')
}

/** The text has lines that `withoutComments` leaves out. */
export const hasSourceComments = (text: string): boolean => SOURCE_COMMENT.test(text)

const SOURCE_COMMENT = /^[ \t]*# ?(?:.* )?(?:File: .*|No stacktrace found.*)\n/m

function dropSources(graph: Graph): void {
  for (const node of graph.nodes()) {
    delete node.meta.source
    delete node.meta.custom
    delete node.meta.additional
  }
  for (const sub of graph.subgraphs.values()) dropSources(sub)
}
