/** Prints calls of common operators in the notation that engineers use: `a + b`, `torch.relu(a)`, `a.to(torch.bfloat16)`. */
import { Node, type Arg, packetOf } from '../../fx'
import { BINARY_SIGN } from '../../fx/operators'

/** Functions of torch that trace to the operator of the same name, with the same arguments in the same order. */
const FUNCTIONS = new Set(
  (
    'abs addmm amax amin baddbmm bitwise_not bmm cat ceil clamp_max clamp_min cos cosh erf exp exp2 expm1 floor log log10 ' +
    'log1p log2 logical_not maximum mean minimum mm neg permute pow reciprocal relu round rsqrt sigmoid sign sin sqrt ' +
    'sum tanh topk trunc unsqueeze where'
  ).split(' '),
)

/** The sign of a binary operator: `+` for `aten.add`; null if it has none. */
export function signOf(packet: string): string | null {
  const [namespace, name] = packet.split('.')
  return namespace === 'aten'
    ? (BINARY_SIGN.get(name === 'div' ? 'operator.truediv' : `operator.${name}`) ?? null)
    : null
}

/** Signs that this file writes between two operands. */
const INFIX = new Set(['+', '-', '*', '/', '>', '>=', '<', '<='])

/** The function name of a call; null if the operator has no function in torch. */
export function functionName(node: Node): string | null {
  const packet = packetOf(node.target)
  const name = packet.startsWith('aten.') ? packet.slice('aten.'.length) : ''
  return FUNCTIONS.has(name) && !node.target.endsWith('.out') && !node.target.endsWith('_scalar')
    ? `torch.${name}`
    : null
}

/** `a + b` or `a.to(torch.float32)`; null for a call without such a form. @param text of an argument by position */
export function operatorCode(node: Node, text: (value: Arg, position: number) => string | null): string | null {
  const packet = packetOf(node.target)
  const [a, b] = node.args
  if (!(a instanceof Node) || node.args.length !== 2) return null
  const sign = signOf(packet) ?? ''
  if (packet === 'prims.convert_element_type' || INFIX.has(sign)) {
    if (node.kwargs.size > 0) return null
    const [left, right] = [text(a, 0), text(b as Arg, 1)]
    if (left === null || right === null) return null
    if (packet === 'prims.convert_element_type') return `${operand(left)}.to(${right})`
    // Comparisons chain in Python.
    return `${operand(left)} ${sign} ${operand(right)}`
  }
  return null
}

/** The number that `where` takes in place of a constant tensor; null for any other argument. */
export function numberOf(user: Node, value: Arg): Arg | null {
  const number = value instanceof Node && value.target === 'aten.scalar_tensor.default' ? value.args[0] : undefined
  return user.target === 'aten.where.self' && typeof number === 'number' ? number : null
}

/** True for code that needs parentheses beside an operator. */
export const isInfix = (code: string): boolean => {
  let depth = 0
  for (let i = 0; i < code.length; i++) {
    const c = code[i]!
    if ('([{'.includes(c)) depth++
    else if (')]}'.includes(c)) depth--
    else if (depth === 0 && (c === ' ' || (i === 0 && c === '-'))) return true
  }
  return false
}

const operand = (code: string): string => (isInfix(code) ? `(${code})` : code)
