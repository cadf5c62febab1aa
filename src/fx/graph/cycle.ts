/** Finds cycles: graphs that cannot be sorted because a node uses a value that depends on it. */
import type { Graph } from './graph'
import type { Node } from './node'
import { wordEnd, type Problems } from '../readers/scan'

/** A range of the text, with the line that problems in it refer to. Offsets count from 0, lines from 1. */
export interface TextSpan {
  start: number
  end: number
  line: number
  lineStart: number
}

/** A use of a name defined later: the node, and its arguments in the text. */
export interface LaterUse extends TextSpan {
  node: Node
}

/**
 * Reports the use that closes a cycle, if there is one; only uses of later names can close a cycle. A graph that is unsorted but
 * can be sorted gets a note.
 */
export function reportCycle(graph: Graph, text: string, uses: readonly LaterUse[], problems: Problems): void {
  const cycle = uses.length > 0 ? findCycle(graph) : null
  const use = cycle && uses.find((u) => u.node === cycle.node)
  if (!cycle) noteUnsorted(uses, problems)
  if (!cycle || !use) return
  const column = nameAt(text, use, cycle.input.name) - use.lineStart + 1
  const [user, used] = [cycle.node.name, cycle.input.name]
  const found = user === used ? `"${user}" among its own arguments` : `"${used}", which is computed from ${user}`
  problems.add(use.line, column, found, 'a graph without cycles')
}

/** Adds a note for the first node that uses a node computed below it. */
function noteUnsorted(uses: readonly LaterUse[], problems: Problems): void {
  for (const { node, line } of uses)
    for (const input of node.inputs())
      if (!input.isBefore(node)) {
        const message = `${node.name} uses ${input.name}, which is computed below: the graph is not sorted, and PyTorch's lint refuses it.`
        return problems.note(line, message)
      }
}

/** A node with an input that depends on it (or is the node itself); null if the graph can be sorted. */
export function findCycle(graph: Graph): { node: Node; input: Node } | null {
  const done = new Set<Node>()
  /** The path from a root to the current node; each node uses the next one. */
  const path = new Set<Node>()
  for (const root of graph.nodes()) {
    const stack = [root]
    for (let node = stack.at(-1); node; node = stack.at(-1)) {
      if (path.has(node) || done.has(node)) {
        stack.pop()
        if (path.delete(node)) done.add(node)
        continue
      }
      path.add(node)
      for (const input of node.inputs()) {
        if (path.has(input)) return laterUse([...path].slice([...path].indexOf(input)))
        if (!done.has(input)) stack.push(input)
      }
    }
  }
  return null
}

/** The use of a later node in a cycle. The cycle lists each node after its user and ends at the first node's user. */
function laterUse(cycle: readonly Node[]): { node: Node; input: Node } {
  const at = cycle.findIndex((node, i) => !cycle[(i + 1) % cycle.length]!.isBefore(node))
  return { node: cycle[at]!, input: cycle[(at + 1) % cycle.length]! }
}

function nameAt(text: string, { start, end }: LaterUse, name: string): number {
  for (let at = text.indexOf(name, start); at >= 0 && at < end; at = text.indexOf(name, at + 1))
    if (wordEnd(text, at, end) === at + name.length && wordEnd(text, at - 1, at) === at - 1) return at
  return start
}
