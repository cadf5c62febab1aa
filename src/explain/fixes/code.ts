/** Prints graph values and calls as Python code for use in a pattern. */
import { Node, pyFloatRepr, type Arg, isGetitem } from '../../fx'
import { code, identifier, stringLiteral, type Code } from '../../fx/code/code'
import { targetCode as knownTarget } from '../../fx/code/targets'
import { valueCode as writtenCode } from '../../fx/code/values'
import { functionName, numberOf, operatorCode } from './python_style'

/** The code of a value; null if it contains a node without a `nodeText` name, or a value that has no code. */
export const valueCode = (value: Arg, nodeText: (n: Node) => string | null): string | null =>
  writtenCode(value, {
    node: (n) => nodeText(n) as Code | null,
    target: (name) => targetCode(name) as Code | null,
    size: () => null,
    opaque: () => null,
    device: ({ type, index }) => code`torch.device(${stringLiteral(index === null ? type : `${type}:${index}`)})`,
    notFinite: (x) => code`float(${stringLiteral(pyFloatRepr(x))})`,
  })

/** `torch.ops.aten.add.Tensor`; null if the target is not an operator. */
export function targetCode(target: string): string | null {
  const text = knownTarget(target)
  return text !== null && /torch\.ops\./.test(text) ? text : null
}

/** The code of one argument of a call, by its position or its name. */
export type ArgumentCode = (value: Arg, key: string | number, nodeText: (n: Node) => string | null) => string | null

/** The code of a node's call: `torch.ops.%op(a, b, k=c)`, or in the common notation; null if an argument has no code. */
export function callCode(
  node: Node,
  nodeText: (n: Node) => string | null,
  argumentText: ArgumentCode = (value) => valueCode(value, nodeText),
): string | null {
  if (node.op !== 'call_function') return null
  if (isGetitem(node)) {
    const [of, index] = node.args.map((a) => valueCode(a, nodeText))
    return of && index ? `${of}[${index}]` : null
  }
  if (/^_?operator\./.test(node.target)) return null
  const target = targetCode(node.target)
  const sliced = node.target === 'aten.slice.Tensor' ? sliceCode(node, nodeText, argumentText) : null
  if (sliced !== null) return sliced
  const operation = operatorCode(node, (value, i) => argumentText(value, i, nodeText))
  if (operation !== null) return operation
  const parts = [
    ...node.args.map((a, i) => argumentText(numberOf(node, a) ?? a, i, nodeText)),
    ...[...node.kwargs].map(([k, v]) => {
      const text = argumentText(v, k, nodeText)
      return text && identifier(k) && `${k}=${text}`
    }),
  ]
  const name = functionName(node) ?? target
  return name === null || parts.includes(null) ? null : `${name}(${parts.join(', ')})`
}

/** `x[..., a:b]` for a slice of the last dimension with step 1; null for another slice. */
function sliceCode(node: Node, nodeText: (n: Node) => string | null, argumentText: ArgumentCode): string | null {
  const [of, dim = 0n, start = null, end = null, step = 1n] = node.args
  const val = of instanceof Node ? of.meta.val : undefined
  const text = of instanceof Node ? nodeText(of) : null
  if (val?.kind !== 'tensor' || step !== 1n || text === null || node.kwargs.size > 0) return null
  if (dim !== -1n && dim !== BigInt(val.shape.length - 1)) return null
  const [from, to] = [
    start === null || start === 0n ? '' : argumentText(start, 2, nodeText),
    end === null || (typeof end === 'bigint' && end >= MAX_INT32) ? '' : argumentText(end, 3, nodeText),
  ]
  if (from === null || to === null) return null
  return `${/^\w+$/.test(text) ? text : `(${text})`}[..., ${from}:${to}]`
}

/** Slice ends from this value on mean "to the end". */
const MAX_INT32 = 2n ** 31n - 1n
