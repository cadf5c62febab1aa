/** Facts about operators by name: which leave values unchanged, which create tensors, and what each decomposes into. */
import { listed } from '../../base/english'
import { type Node, isGetitem, isOverload, packetOf, operatorOf, isKind } from '../../fx'
import { withTrait } from '../../ops/traits'
import { isNative } from './native'

/**
 * Nodes with equal keys run the same operator, regardless of overload, of the auto_functionalized version, and of the form of a
 * call of torch: `torch.mul(a, b)`, `a.mul(b)` and `a * b`.
 */
export const keyOf = (node: Node): string =>
  node.op === 'get_attr' ? 'get_attr' : hasForms(node) ? `call ${bareName(node.target)}` : packetOf(operatorOf(node))

/** True for a method, or a function of torch or of Python's operators, except the one that takes an item. */
export const hasForms = (node: Node): boolean =>
  node.op === 'call_method' ||
  (node.op === 'call_function' && /^(?:torch|_?operator)\./.test(node.target) && !isGetitem(node))

const passes = withTrait('passes')
/** True for an operator that is often inserted incidentally: it only moves, casts or gathers values. */
export const passesThrough = (node: Node): boolean => isGetitem(node) || passes(node.target)

/**
 * True for a copy that changes neither shape, strides nor dtype. fwd_only removes it from a traced pattern
 * (remove_noop_ops), and the clean-up before the post-grad passes removes it from a graph. Without recorded metadata: a
 * copy without a memory format.
 */
export function isPlainCopy(node: Node): boolean {
  if (!['aten.clone', 'aten.alias'].includes(packetOf(node.target))) return false
  const [mine, from] = [node.meta.val, node.inputs()[0]?.meta.val]
  if (mine?.kind === 'tensor' && from?.kind === 'tensor')
    return (
      mine.dtype === from.dtype &&
      String(mine.shape) === String(from.shape) &&
      String(mine.stride) === String(from.stride)
    )
  return !node.kwargs.has('memory_format')
}

/** A step of a softcap: tanh, or a product or quotient with a number. */
export const isScaling = (node: Node): boolean =>
  packetOf(node.target) === 'aten.tanh' || (/^aten\.(mul|div)\./.test(node.target) && typeof node.args[1] === 'number')

/** Inductor's post-grad graphs hold aten.reshape where a traced pattern holds aten.view. */
export const isViewForReshape = (pattern: Node, graph: Node): boolean =>
  packetOf(pattern.target) === 'aten.view' && packetOf(graph.target) === 'aten.reshape'

const factory = withTrait('factory')
export const isFactory = (node: Node): boolean => factory(node.target)

const combinesOthers = withTrait('composite')
/** True for an operator that may appear on one side where the other has its decomposition. */
export const isComposite = (target: string): boolean => !isNative(target) || combinesOthers(target)

/** A step of a decomposition, recognized by the last component of its packet name or by the node's function. */
type Part = RegExp | ((n: Node) => boolean)

/** Multiplication by a scale is weak evidence: a quantized value is also rounded, clamped or cast to a small dtype. */
const quantized: Part = (n) =>
  /\b(round|clamp|clamp_min|clamp_max)$/.test(packetOf(n.target)) ||
  (/convert_element_type$|_to_copy$/.test(packetOf(n.target)) &&
    [...n.args, ...n.kwargs.values()].some((a) => isKind(a, 'dtype') && /^(float8|u?int8)/.test(a.name)))

/** Decompositions by a word in the operator's name. Each step must be computed from the one before. */
const FINGERPRINTS: readonly (readonly [RegExp, readonly Part[]])[] = [
  [/rms_?norm/i, [/\bpow$|\bsquare$|\bmul$/, /\bmean$/, /\brsqrt$/]],
  [/layer_?norm/i, [/\bvar_mean$|\bvar$|\bmean$/, /\brsqrt$|\bsqrt$/]],
  [/silu|swiglu/i, [/\bsigmoid$|\bsilu$|\bexp$/, /\bmul$|\bdiv$/]],
  [/gelu/i, [/\berf$|\btanh$|\bgelu$/, /\bmul$/]],
  [/quant/i, [/\bdiv$|\bmul$|\breciprocal$/, quantized]],
  [/rotary|rope/i, [/\bneg$|\bsub$/, /\bcat$|\bmul$/]],
  [/softmax/i, [/\bexp$/, /\bsum$/, /\bdiv$/]],
  [/addmm/i, [/\bmm$/, /\badd$/]],
  [/baddbmm/i, [/\bbmm$/, /\badd$/]],
  [/attention|sdpa/i, [/\bbmm$|\bmatmul$|\bmm$/, /\bsoftmax$|\bexp$/]],
]

/** Maximum distance from the operator's position to the last part, and from each part to the previous one. */
const REACH = 6

/**
 * The nodes that an operator of this name decomposes into, in order of computation, or null. They must be connected and
 * end where the operator would be.
 */
export function decompositionAt(operator: string, end: Node): Node[] | null {
  const name = packetOf(operator).split('.').at(-1)!
  for (const [nameTest, parts] of FINGERPRINTS) {
    const found = nameTest.test(name) ? chained([...parts].reverse(), end, new Set()) : null
    if (found) return found.reverse()
  }
  return null
}

/**
 * False if these nodes cannot contain a chain, because each decomposition has a missing part: a cheap check before a search at each
 * node.
 */
export function mayDecompose(operator: string, nodes: readonly Node[]): boolean {
  const name = packetOf(operator).split('.').at(-1)!
  return FINGERPRINTS.some(
    ([nameTest, parts]) => nameTest.test(name) && parts.every((part) => nodes.some((n) => isPart(part, n))),
  )
}

const isPart = (part: Part, n: Node): boolean =>
  n.op === 'call_function' && isNative(n.target) && (part instanceof RegExp ? part.test(packetOf(n.target)) : part(n))

/** A chain of nodes for the parts, last part first, each within reach of the next. */
function chained([part, ...before]: readonly Part[], from: Node, used: ReadonlySet<Node>): Node[] | null {
  if (!part) return []
  for (const n of within(from, REACH)) {
    if (used.has(n) || !isPart(part, n)) continue
    const rest = chained(before, n, new Set([...used, n]))
    if (rest) return [n, ...rest]
  }
  return null
}

/** The node and its inputs through a few native operators, nearest first. */
function within(node: Node, steps: number): Node[] {
  const seen = new Set([node])
  let edge = [node]
  for (let i = 0; i < steps; i++) {
    edge = edge.flatMap((n) => (isNative(n.target) ? [...n.inputs()] : [])).filter((n) => !seen.has(n))
    edge.forEach((n) => seen.add(n))
  }
  return [...seen].slice(0, 40)
}

/** A list with counts for equal names: `2 × aten.slice.Tensor and aten.mul.Tensor`. */
export function tallied(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const n of names) counts.set(n, (counts.get(n) ?? 0) + 1)
  return listed([...counts].map(([n, times]) => (times > 1 ? `${times} × ${n}` : n)))
}

/** The name `relu` of `torch.nn.functional.relu`, `aten.relu` and `relu_`. */
export const bareName = (target: string): string =>
  (isOverload(target) ? packetOf(target) : target).replace(/^.*\./, '').replace(/_$/, '')
