import type { Node, Val } from '../fx'

/** Operators whose outputs form a list (`Tensor[]`); most return a tuple. */
const GIVES_LIST =
  /^aten\.(unsafe_)?(split|split_with_sizes|chunk|unbind|tensor_split|hsplit|vsplit|dsplit|meshgrid|broadcast_tensors)(_copy)?\./

/** node.meta["val"] in Python's form. */
export function valueOfNode(node: Node): Val | undefined {
  const { val } = node.meta
  return val?.kind === 'vals' && GIVES_LIST.test(node.target) ? { ...val, list: true } : val
}
