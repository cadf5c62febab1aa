/** The class of a call_module's module: PyTorch compares it with the pattern's classes, and never the module's name. */
import type { Graph, Node } from '../../fx'

/** True if `fn`, a class by its whole name, is the class of the node's module. A text may name it without its module. */
export function isClassOf(fn: string, node: Node): boolean {
  const name = node.meta.moduleClass
  return name !== undefined && fn.includes('.') && (fn === name || (!name.includes('.') && fn.endsWith(`.${name}`)))
}

/** @param classes the paths of modules that Python holds, with their classes */
export function nameClasses(graph: Graph, classes: readonly (readonly [path: string, cls: string])[]): void {
  const byPath = new Map(classes)
  if (byPath.size === 0) return
  for (const node of graph.nodes())
    if (node.op === 'call_module') node.meta.moduleClass = byPath.get(node.target) ?? node.meta.moduleClass
}
