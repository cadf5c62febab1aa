import type { Problem } from '../../base/result'
import { listed } from '../../base/english'
import type { Graph } from './graph'
import type { Node } from './node'

/**
 * The differences between two texts of one graph that are merged by node name: nodes that only one text has, and nodes with
 * different operators. Empty if they agree.
 */
export function mergeDifferences(graph: Graph, other: Graph, names: { graph: string; other: string }): Problem[] {
  const byName = new Map([...other.nodes()].map((n) => [n.name, n]))
  const own = [...graph.nodes()].filter(isNamed)
  const found: Problem[] = []
  const report = (nodes: readonly Node[], end: string): void => {
    const first = nodes[0]
    if (!first) return
    const message = `${names.other} is not quite the same graph as ${names.graph}: ${listed(nodes.map((n) => n.name))} ${end}.`
    found.push({
      file: first.graph === graph ? names.graph : names.other,
      line: first.meta.textLine ?? 1,
      column: 1,
      message,
    })
  }
  report(
    own.filter((n) => !byName.has(n.name)),
    `only in ${names.graph}, so without a shape`,
  )
  const seen = new Set(own.map((n) => n.name))
  report(
    [...other.nodes()].filter((n) => isNamed(n) && !seen.has(n.name)),
    `only in ${names.other}`,
  )
  report(
    own.filter((n) => n.op === 'call_function' && isOther(n, byName.get(n.name))),
    'with another operator',
  )
  return found
}

/** Some texts leave out unused inputs and attributes. */
const isNamed = (n: Node): boolean => n.op !== 'output' && (n.op === 'call_function' || n.users.size > 0)

const isOther = (n: Node, other: Node | undefined): boolean =>
  other !== undefined && other.op === n.op && other.target !== n.target
