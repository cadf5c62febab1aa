/**
 * The likely result of an operator that nobody declared, such as a vendor's quantized product: its name and its inputs
 * are all there is. The result is marked as a guess wherever it is shown.
 */
import { type Arg, type Dim, type Node, type TensorMeta, type Val, isKind, isGetitem } from '../fx'
import { sameDim } from '../ops/sym'

export interface GuessedResult {
  val: Val
  /** Where it comes from, as the end of "from …". */
  source: string
}

const PRODUCT = /(?:^|[_.\d])(?:[a-z]*mm|[a-z]*matmul|[a-z]*gemm|[a-z]*linear)(?:$|[_.\d])/

const FLOATS: ReadonlySet<string> = new Set(['bfloat16', 'float16', 'float32'])

/** @param floats dtypes of the graph's tensors, most frequent first */
export function guessResult(node: Node, floats: readonly string[]): GuessedResult | null {
  if (node.users.size === 0 || [...node.users].some((u) => isGetitem(u))) return null
  const tensors = node.inputs().flatMap((n) => (n.meta.val?.kind === 'tensor' ? [{ node: n, meta: n.meta.val }] : []))
  const first = tensors[0]
  if (!first || tensors.length < node.inputs().length) return null
  const name = node.target.split('.').slice(0, 2).join('.')
  if (!PRODUCT.test(name))
    return { val: contiguous(first.meta, first.meta.shape, first.meta.dtype), source: `its input ${first.node.name}` }
  for (const second of tensors.slice(1)) {
    const shape = productShape(first.meta.shape, second.meta.shape)
    if (!shape) continue
    const dtype =
      namedDtype(node) ?? (FLOATS.has(first.meta.dtype) ? first.meta.dtype : (floats[0] ?? first.meta.dtype))
    return {
      val: contiguous(first.meta, shape, dtype),
      source: `the product of ${first.node.name} and ${second.node.name}`,
    }
  }
  return null
}

/** `[…, k]` by `[k, n]` or `[n, k]`. */
function productShape(a: readonly Dim[], b: readonly Dim[]): Dim[] | null {
  if (a.length === 0 || b.length !== 2) return null
  const k = a.at(-1)!
  if (sameDim(b[0]!, k)) return [...a.slice(0, -1), b[1]!]
  return sameDim(b[1]!, k) ? [...a.slice(0, -1), b[0]!] : null
}

const contiguous = ({ device }: TensorMeta, shape: readonly Dim[], dtype: string): TensorMeta => ({
  kind: 'tensor',
  dtype,
  shape,
  stride: null,
  device,
})

/** The one dtype among a call's arguments: `output_dtype`. */
function namedDtype(node: Node): string | null {
  const dtypes = [...node.args, ...node.kwargs.values()].flatMap((a: Arg) => (isKind(a, 'dtype') ? [a.name] : []))
  return dtypes.length === 1 ? dtypes[0]! : null
}

/** Dtypes that activations have, most frequent first. */
export function floatsOf(vals: Iterable<Val | undefined>): string[] {
  const counts = new Map<string, number>()
  for (const val of vals)
    if (val?.kind === 'tensor' && FLOATS.has(val.dtype)) {
      // A float32 beside 16-bit floats is a scale or an intermediate.
      const weight = val.dtype === 'float32' ? 0.25 : 1
      counts.set(val.dtype, (counts.get(val.dtype) ?? 0) + weight)
    }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([dtype]) => dtype)
}
