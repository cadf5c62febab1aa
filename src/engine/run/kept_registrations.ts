/**
 * The registrations of the last code. Python runs again only for different code, or for a graph that calls custom operators
 * differently, because its calls decide guessed schemas and versions.
 */
import { Node, type Graph, isGetitem } from '../../fx'
import { callOf } from '../../trace/schema_versions'
import type { Code, Interpreter, Registrations } from './interpreter'

export class KeptRegistrations {
  private known: { key: string; registrations: Registrations } | null = null

  constructor(private readonly interpreter: Interpreter) {}

  /** @param graph the graph that they are to be applied to */
  of(code: Code, graph: Graph): Registrations {
    const key = JSON.stringify([code, customCalls(graph)])
    if (this.known?.key !== key) this.known = { key, registrations: this.interpreter.load(code, graph) }
    return this.known.registrations
  }
}

/** The forms of the graph's calls of operators other than aten's, and the items that it takes from them. */
function customCalls(graph: Graph): string {
  const forms = new Set<string>()
  for (const node of graph.nodes()) {
    const [of, index] = node.args
    const item = isGetitem(node) && of instanceof Node
    const call = callOf(item ? of : node)
    if (!call || /^(aten|prims)\./.test(call.target)) continue
    const { positional, keywords, functionalized } = call.shape
    forms.add(
      item ? `${call.target}[${String(index)}]` : JSON.stringify([call.target, positional, keywords, functionalized]),
    )
  }
  return [...forms].sort().join('\n')
}
