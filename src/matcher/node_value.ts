import { graphOf, isOverload, type Node, type Val } from '../fx'
import { catalogSchema } from '../ops/schema'

/** node.meta["val"] in Python's form. */
export function valueOfNode(node: Node, val = node.meta.val): Val | undefined {
  return val?.kind === 'vals' && givesList(node.target) ? { ...val, list: true } : val
}

/** True for an operator whose outputs form a list (`Tensor[]`); most return a tuple. */
const givesList = (target: string): boolean => (catalogSchema(target)?.returns[0]?.list ?? null) !== null

/**
 * True for a node as Dynamo made it, which stores its value under another name than the nodes that passes insert: its graph
 * has inputs of a frame, or begins with a method or a function of torch instead of an operator.
 */
export function isOfDynamo(node: Node): boolean {
  if (node.meta.textLine === undefined) return false
  for (const { op, target } of graphOf(node).nodes()) {
    if (op === 'placeholder' && /^L_\w+_$/.test(target)) return true
    if (op === 'call_method' || (op === 'call_function' && /^torch\.(?!sym_)/.test(target))) return true
    if (op === 'call_function' && isOverload(target)) return false
  }
  return false
}
