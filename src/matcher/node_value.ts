import type { Node, Val } from '../fx'
import { catalogSchema } from '../ops/schema'

/** node.meta["val"] in Python's form. */
export function valueOfNode(node: Node, val = node.meta.val): Val | undefined {
  return val?.kind === 'vals' && givesList(node.target) ? { ...val, list: true } : val
}

/** True for an operator whose outputs form a list (`Tensor[]`); most return a tuple. */
const givesList = (target: string): boolean => (catalogSchema(target)?.returns[0]?.list ?? null) !== null
