/** Prints graph values and calls as Python code for use in a pattern. */
import { formatRepr, Node, pyFloatRepr, type Arg, isGetitem } from '../../fx'
import { identifier, stringLiteral } from '../../fx/code/code'
import { targetCode as knownTarget } from '../../fx/code/targets'
import { DTYPES, LAYOUTS, MEMORY_FORMATS } from '../../fx/dtypes'
import { functionName, numberOf, operatorCode } from './python_style'

/** The code of a value; null if it contains a node without a `nodeText` name, or a value that has no code. */
export function valueCode(value: Arg, nodeText: (n: Node) => string | null): string | null {
  if (value === null) return 'None'
  if (value instanceof Node) return nodeText(value)
  if (typeof value === 'string') return stringLiteral(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') return Number.isFinite(value) ? pyFloatRepr(value) : `float('${pyFloatRepr(value)}')`
  const all = (items: readonly Arg[]): string[] | null => {
    const texts = items.map((v) => valueCode(v, nodeText))
    return texts.includes(null) ? null : (texts as string[])
  }
  if (Array.isArray(value)) {
    const items = all(value as readonly Arg[])
    return items && `[${items.join(', ')}]`
  }
  if (!('kind' in value)) return null
  switch (value.kind) {
    case 'tuple': {
      const items = all(value.items)
      return items && (items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`)
    }
    case 'dtype':
    case 'layout':
    case 'memory_format':
      return TORCH_NAMES.some((known) => known.has(value.name)) ? `torch.${value.name}` : null
    case 'device':
      return `torch.device(${stringLiteral(value.index === null ? value.type : `${value.type}:${value.index}`)})`
    case 'op':
      return targetCode(value.name)
    case 'slice': {
      const parts = all([value.start, value.stop, value.step])
      return parts && `slice(${parts.join(', ')})`
    }
    case 'complex':
    case 'ellipsis':
      return formatRepr(value)
    default:
      return null
  }
}

/** `torch.ops.aten.add.Tensor`; null if the target is not an operator. */
export function targetCode(target: string): string | null {
  const text = knownTarget(target)
  return text !== null && /torch\.ops\./.test(text) ? text : null
}

const TORCH_NAMES = [DTYPES, LAYOUTS, MEMORY_FORMATS]

/** The code of one argument of a call, by its position or its name. */
export type ArgumentCode = (value: Arg, key: string | number, nodeText: (n: Node) => string | null) => string | null

/** The code of a node's call: `torch.ops.%op(a, b, k=c)`, or as engineers write it; null if an argument has no code. */
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

/** A slice's end from which on it means "to the end". */
const MAX_INT32 = 2n ** 31n - 1n
