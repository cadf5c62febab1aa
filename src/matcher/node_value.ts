import type { Node, Val } from '../fx'

/** Operators whose several outputs are a list (`Tensor[]`), where most give a tuple. */
const GIVES_LIST =
  /^aten\.(unsafe_)?(split|split_with_sizes|chunk|unbind|tensor_split|hsplit|vsplit|dsplit|meshgrid|broadcast_tensors)(_copy)?\./

/** node.meta["val"] as Python has it. */
export function valueOfNode(node: Node): Val | undefined {
  const { val } = node.meta
  return val?.kind === 'vals' && GIVES_LIST.test(node.target) ? { ...val, list: true } : val
}
