/** Labels of nodes, compact nodes and chips. */
import type { NodeView } from '../../engine/protocol'

/** `aten.mm.default` → `mm`; other overloads are kept: `pow.Tensor_Scalar`. */
export function shortTarget(node: NodeView): string {
  const target = node.inner ?? node.target
  if (node.op === 'placeholder' || node.op === 'get_attr' || node.op === 'output') return node.op
  const parts = target.split('.')
  if (node.inner !== null && parts[parts.length - 1] === 'default') parts.pop()
  if (parts.length >= 3 || (parts.length === 2 && node.inner !== null)) parts.shift()
  else if (parts[0] === 'operator' || parts[0] === '_operator' || parts[0] === 'higher_order') parts.shift()
  return parts.join('.')
}

/** Modules of Python functions: the text after them is a path, not an operator and its overload. */
const MODULES: ReadonlySet<string> = new Set(['torch', 'operator', '_operator', 'builtins', 'math'])

/** The operator's bare name, for labels in big type: `mm`, `silu_and_mul`, `relu` for `torch.nn.functional.relu`. */
export function bareTarget(node: NodeView): string {
  if (node.op !== 'call_function') return node.op === 'call_method' ? node.target : shortTarget(node)
  const parts = (node.inner ?? node.target).split('.')
  const withOverload = parts.length === 3 && !MODULES.has(parts[0]!)
  return parts[withOverload ? 1 : parts.length - 1] ?? node.name
}

/** Characters of the large type that fit beside a badge. */
const WORD = 11

/** True for `relu` and `relu_1`: names derived from the operator. */
function isNumbered(node: NodeView): boolean {
  const operator = bareTarget(node)
  return node.name.startsWith(operator) && /^(?:_\d+)?$/.test(node.name.slice(operator.length))
}

/**
 * The first two lines of a card. First the operator, with its number if the name has one; this line is the node's label at each
 * zoom. Second the missing information: the target with its overload, or the name.
 */
export const cardLines = (node: NodeView): readonly [string, string] =>
  isNumbered(node) ? [node.name, shortTarget(node)] : [bareTarget(node), node.name]

/** The label if only one word in large type fits: without the number if it is too long. */
export function cardWord(node: NodeView): string {
  const [label] = cardLines(node)
  return label.length <= WORD ? label : bareTarget(node)
}

/** `bf16[48, 256]`; empty if unknown. */
export function typeText(node: NodeView): string {
  return node.shape === null ? (node.dtype ?? '') : `${node.dtype ?? ''}${node.shape}`
}

/** The title for a block of folded instances, the name for a node. */
export const chipText = (node: NodeView): string => (node.op === 'block' ? node.target : node.name)

/** `getitem_4 [1]`. */
export const compactText = (node: NodeView): string =>
  node.args.length > 1 && node.family === 'getitem' ? `${node.name} [${node.args[1]}]` : node.name
