/**
 * What a call says about the shapes of its inputs and its result, in both directions. Rules hold for nearly all graphs,
 * not for all: what follows from them is a guess.
 */
import type { Arg, Dim, Node } from '../../../fx'
import type { ShapeFacts } from './facts'

type Rule = (facts: ShapeFacts, node: Node) => void

/** Runs the rule of a node's operator, if it has one. @param soft also rules that only usually hold */
export function applyRule(facts: ShapeFacts, node: Node, soft: boolean): void {
  if (node.op !== 'call_function') return
  const op = nameOf(node.target)
  if (POINTWISE.has(op)) {
    facts.sameShape(node, node.args[0])
    facts.sameDtype(node, node.args[0])
  } else if (BINARY.has(op)) binary(facts, node, soft)
  else RULES[op]?.(facts, node)
}

/** `mm` of `aten.mm.default`. */
function nameOf(target: string): string {
  const from = target.indexOf('.') + 1
  const end = target.indexOf('.', from)
  return from === 0 ? '' : target.slice(from, end < 0 ? undefined : end)
}

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const POINTWISE = names(
  'relu gelu silu sigmoid tanh exp neg rsqrt sqrt abs log clamp clamp_min clamp_max clone alias detach contiguous sin cos ' +
    'reciprocal erf _softmax softmax dropout mish hardswish leaky_relu softplus square floor ceil round sign relu_ ' +
    'lift_fresh_copy log_softmax _log_softmax hardsigmoid hardtanh elu cumsum flip roll masked_fill',
)
const BINARY = names('add sub mul div maximum minimum pow fmod remainder atan2 add_ sub_ mul_ div_ rsub')

const matmul: Rule = (facts, node) => product(facts, node, node.args[0], node.args[1])

const RULES: Readonly<Record<string, Rule>> = {
  convert_element_type: (facts, node) => cast(facts, node, node.args[1]),
  _to_copy: (facts, node) => cast(facts, node, node.kwargs.get('dtype')),
  mm: matmul,
  bmm: matmul,
  addmm: (facts, node) => {
    const [bias, a, b] = node.args
    product(facts, node, a, b)
    const out = facts.dimsOf(node)
    if (out && !facts.dimsOf(bias)) facts.setDims(bias, out.slice(-1))
    facts.sameDtype(node, bias)
  },
  linear: (facts, node) => {
    const [x, w, bias] = node.args
    const weight = facts.withRank(w, 2)
    const input = facts.dimsOf(x)
    if (weight && input) {
      facts.sizes.unify(input.at(-1)!, weight[1]!)
      facts.setDims(node, [...input.slice(0, -1), weight[0]!])
    }
    if (weight) facts.setDims(bias, [weight[0]!])
    facts.sameDtype(node, x, w, bias)
  },
  t: (facts, node) => permuted(facts, node, [1, 0]),
  permute: (facts, node) => {
    const order = integers(node.args[1])
    if (order) permuted(facts, node, order)
  },
  transpose: (facts, node) => {
    const [i, j] = [Number(node.args[1]), Number(node.args[2])]
    const rank = (facts.dimsOf(node.args[0]) ?? facts.dimsOf(node))?.length
    if (rank === undefined || !Number.isInteger(i) || !Number.isInteger(j)) return
    const order = Array.from({ length: rank }, (_, k) => k)
    const [a, b] = [(i + rank) % rank, (j + rank) % rank]
    ;[order[a], order[b]] = [b, a]
    permuted(facts, node, order)
  },
  view: viewed,
  reshape: viewed,
  _unsafe_view: viewed,
  expand: (facts, node) => facts.sameDtype(node, node.args[0]),
  unsqueeze: (facts, node) => facts.sameDtype(node, node.args[0]),
  slice: (facts, node) => facts.sameDtype(node, node.args[0]),
  select: (facts, node) => facts.sameDtype(node, node.args[0]),
  sum: reduced,
  mean: reduced,
  amax: reduced,
  amin: reduced,
  embedding: (facts, node) => {
    const [w, index] = node.args
    const weight = facts.withRank(w, 2)
    const at = facts.dimsOf(index)
    const out = facts.dimsOf(node)
    if (weight && at) facts.setDims(node, [...at, weight[1]!])
    if (weight && out) {
      facts.sizes.unify(out.at(-1)!, weight[1]!)
      facts.setDims(index, out.slice(0, -1))
    }
    if (isNode(index)) facts.dtypes.bind(facts.dtypeOf(index), 'int64', `the indices of ${node.name}`)
    facts.sameDtype(node, w)
  },
  native_layer_norm: (facts, node) => {
    const sizes = literals(facts, node, node.args[1])
    if (!sizes) return
    facts.setDims(node.args[2], sizes)
    facts.setDims(node.args[3], sizes)
    facts.sameDtype(...node.args.slice(0, 1), ...node.args.slice(2, 4))
    tail(facts, node.args[0], sizes)
    firstItem(facts, node, node.args[0])
  },
  layer_norm: (facts, node) => normed(facts, node, 1),
  rms_norm: (facts, node) => normed(facts, node, 1),
  cat: (facts, node) => {
    const [list] = node.args
    if (!Array.isArray(list)) return
    facts.sameDtype(node, ...(list as readonly Arg[]))
  },
}

const isNode = (a: Arg | undefined): a is Node => typeof a === 'object' && a !== null && 'graph' in a

function cast(facts: ShapeFacts, node: Node, to: Arg | undefined): void {
  facts.sameShape(node, node.args[0])
  if (typeof to === 'object' && to !== null && 'kind' in to && to.kind === 'dtype')
    facts.dtypes.bind(facts.dtypeOf(node), to.name, `the cast of ${node.name}`)
  else facts.sameDtype(node, node.args[0])
}

function product(facts: ShapeFacts, node: Node, a: Arg | undefined, b: Arg | undefined): void {
  const rank = node.target.startsWith('aten.bmm') ? 3 : 2
  const [x, y, out] = [facts.withRank(a, rank), facts.withRank(b, rank), facts.withRank(node, rank)]
  facts.sameDtype(node, a, b)
  if (!x || !y || !out) return
  facts.sizes.unify(x.at(-1)!, y.at(-2)!)
  facts.sizes.unify(x.at(-2)!, out.at(-2)!)
  facts.sizes.unify(y.at(-1)!, out.at(-1)!)
  if (rank === 3) for (const v of [y[0]!, out[0]!]) facts.sizes.unify(x[0]!, v)
}

/** Broadcasting hides sizes of 1; an operand of which nothing is known usually has the shape of the other. */
function binary(facts: ShapeFacts, node: Node, soft: boolean): void {
  const [a, b] = node.args
  if (!isNode(b) || !isNode(a)) {
    const x = isNode(a) ? a : b
    facts.sameShape(node, x)
    facts.sameDtype(node, x)
    return
  }
  const [x, y] = [facts.dimsOf(a), facts.dimsOf(b)]
  if (x && y && x.length === y.length && x.every((d, i) => facts.sizes.same(d, y[i]!))) facts.setDims(node, x)
  else if (x && y) {
    const [long, short] = x.length >= y.length ? [x, y] : [y, x]
    const skip = long.length - short.length
    const out = long.map((d, i) => (i >= skip && facts.sizes.get(d)?.value === 1 ? short[i - skip]! : d))
    if (out.every((d) => facts.sizes.get(d))) facts.setDims(node, out)
  }
  facts.sameDtype(node, a, b)
  if (!soft) return
  const out = facts.dimsOf(node)
  const known = x ?? y ?? out
  if (!known) return
  if (!x) facts.setDims(a, known)
  if (!y) facts.setDims(b, known)
  if (!out) facts.setDims(node, known)
}

function permuted(facts: ShapeFacts, node: Node, order: readonly number[]): void {
  const [x] = node.args
  const input = facts.withRank(x, order.length)
  if (!input) return
  facts.setDims(
    node,
    order.map((i) => input.at(i)!),
  )
  facts.sameDtype(node, x)
}

function viewed(facts: ShapeFacts, node: Node): void {
  facts.sameDtype(node, node.args[0])
  const dims = literals(facts, node, node.args[1])
  if (dims && !facts.dimsOf(node)) facts.setDims(node, dims)
}

function reduced(facts: ShapeFacts, node: Node): void {
  facts.sameDtype(node, node.args[0])
  const input = facts.dimsOf(node.args[0])
  const axes = integers(node.args[1])
  if (!input || !axes || facts.dimsOf(node)) return
  const at = new Set(axes.map((i) => (i + input.length) % input.length))
  const keep = node.args[2] === true
  const one = (): number => facts.literal(1, node.name)
  facts.setDims(
    node,
    input.flatMap((d, i) => (at.has(i) ? (keep ? [one()] : []) : [d])),
  )
}

function normed(facts: ShapeFacts, node: Node, at: number): void {
  const sizes = literals(facts, node, node.args[at])
  if (!sizes) return
  facts.setDims(node.args[at + 1], sizes)
  facts.setDims(node.args[at + 2], sizes)
  tail(facts, node.args[0], sizes)
  facts.sameShape(node, node.args[0])
  facts.sameDtype(node, node.args[0])
}

/** The last sizes of a tensor whose rank is known. */
function tail(facts: ShapeFacts, arg: Arg | undefined, sizes: readonly number[]): void {
  const dims = facts.dimsOf(arg)
  if (dims && dims.length >= sizes.length) sizes.forEach((s, i) => facts.sizes.unify(dims.at(i - sizes.length)!, s))
}

function firstItem(facts: ShapeFacts, node: Node, like: Arg | undefined): void {
  for (const user of node.users)
    if (user.target === 'operator.getitem' && user.args[1] === 0n) {
      facts.sameShape(user, like)
      facts.sameDtype(user, like)
    }
}

/** Literal sizes of a call; an inferred size (-1) or a computed one is unknown. */
function literals(facts: ShapeFacts, node: Node, arg: Arg | undefined): number[] | null {
  if (!Array.isArray(arg)) return null
  return (arg as readonly Arg[]).map((a) =>
    typeof a === 'bigint' && a >= 0n
      ? facts.literal(Number(a) as Dim, `the sizes of ${node.name}`)
      : facts.sizes.fresh(),
  )
}

function integers(arg: Arg | undefined): number[] | null {
  if (!Array.isArray(arg)) return null
  const list = arg as readonly Arg[]
  return list.every((a) => typeof a === 'bigint') ? list.map(Number) : null
}
