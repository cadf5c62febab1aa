/** Completes a graph whose text has no header or lacks some lines. */
import { count } from '../../base/english'
import type { Graph } from '../graph/graph'
import { tuple, type Node } from '../graph/node'
import type { Problems } from './scan'

/** Adds a placeholder, before all other nodes, for a name that the text uses but does not define. */
export function addInput(graph: Graph, name: string): Node {
  return graph.insertingBefore(graph.first, () => graph.createNamed(name, 'placeholder', name))
}

/** Adds the output that the text lacks: it returns the nodes without users. @param inputs names that were read as inputs */
export function finishOpen(graph: Graph, inputs: readonly string[], line: number, problems: Problems): void {
  if (inputs.length > 0) {
    // In the order of their first use.
    const nodes = new Map([...graph.nodes()].map((n) => [n.name, n]))
    for (const name of inputs.toReversed()) graph.move(nodes.get(name)!, graph.first)
    const shown = inputs.slice(0, 8).join(', ')
    const names = inputs.length > 8 ? `${shown} and ${count(inputs.length - 8, 'more name')}` : shown
    problems.note(
      line,
      `${names}: used and not defined in this text, read as ${inputs.length === 1 ? 'an input' : 'inputs'}.`,
    )
  }
  if (graph.output() || graph.size === 0) return
  const last = [...graph.nodes()].filter((n) => n.users.size === 0 && n.op !== 'placeholder')
  graph.createNode('output', 'output', [tuple(last)])
}
