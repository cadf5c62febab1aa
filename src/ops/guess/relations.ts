/**
 * Relations between the shapes of a call's inputs and its result, in both directions. They hold for nearly all graphs, but not for
 * all, so conclusions from them are guesses.
 */
import { type Arg, type Dim, type Node, isKind, isGetitem } from '../../fx'
import type { ShapeFacts } from './facts'

/** @param soft true to include relations that usually hold */
export type Relation = (facts: ShapeFacts, node: Node, soft: boolean) => void

/** The result has the shape of the first argument. */
export const shapeOfFirst: Relation = (facts, node) => facts.sameShape(node, node.args[0])

export const dtypeOfFirst: Relation = (facts, node) => facts.sameDtype(node, node.args[0])

/** The result resembles the first argument. */
export const likeFirst: Relation = (facts, node) => {
  shapeOfFirst(facts, node, false)
  dtypeOfFirst(facts, node, false)
}

export const addmm: Relation = (facts, node) => {
  const [bias, a, b] = node.args
  productOf(facts, node, a, b)
  const out = facts.dimsOf(node)
  if (out && !facts.dimsOf(bias)) facts.setDims(bias, out.slice(-1))
  facts.sameDtype(node, bias)
}

export const linear: Relation = (facts, node) => {
  const [x, w, bias] = node.args
  const weight = facts.withRank(w, 2)
  const input = facts.dimsOf(x)
  if (weight && input) {
    facts.sizes.unify(input.at(-1)!, weight[1]!)
    facts.setDims(node, [...input.slice(0, -1), weight[0]!])
  }
  if (weight) facts.setDims(bias, [weight[0]!])
  facts.sameDtype(node, x, w, bias)
}

export const turned: Relation = (facts, node) => permuted(facts, node, [1, 0])

export const permute: Relation = (facts, node) => {
  const order = integers(node.args[1])
  if (order) permuted(facts, node, order)
}

export const transpose: Relation = (facts, node) => {
  const [i, j] = [Number(node.args[1]), Number(node.args[2])]
  const rank = (facts.dimsOf(node.args[0]) ?? facts.dimsOf(node))?.length
  if (rank === undefined || !Number.isInteger(i) || !Number.isInteger(j)) return
  const order = Array.from({ length: rank }, (_, k) => k)
  const [a, b] = [(i + rank) % rank, (j + rank) % rank]
  ;[order[a], order[b]] = [b, a]
  permuted(facts, node, order)
}

export const embedding: Relation = (facts, node) => {
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
}

export const nativeLayerNorm: Relation = (facts, node) => {
  const sizes = literals(facts, node, node.args[1])
  if (!sizes) return
  facts.setDims(node.args[2], sizes)
  facts.setDims(node.args[3], sizes)
  facts.sameDtype(...node.args.slice(0, 1), ...node.args.slice(2, 4))
  tail(facts, node.args[0], sizes)
  firstItem(facts, node, node.args[0])
}

export const concatenated: Relation = (facts, node) => {
  const [list] = node.args
  if (Array.isArray(list)) facts.sameDtype(node, ...(list as readonly Arg[]))
}

const isNode = (a: Arg | undefined): a is Node => typeof a === 'object' && a !== null && 'graph' in a

/** A cast, to the dtype that is passed by position or by name. */
export const cast: Relation = (facts, node) => {
  const to = node.kwargs.get('dtype') ?? node.args[1]
  facts.sameShape(node, node.args[0])
  if (isKind(to, 'dtype')) facts.dtypes.bind(facts.dtypeOf(node), to.name, `the cast of ${node.name}`)
  else facts.sameDtype(node, node.args[0])
}

export const product: Relation = (facts, node) => productOf(facts, node, node.args[0], node.args[1])

function productOf(facts: ShapeFacts, node: Node, a: Arg | undefined, b: Arg | undefined): void {
  const rank = node.target.startsWith('aten.bmm') ? 3 : 2
  const [x, y, out] = [facts.withRank(a, rank), facts.withRank(b, rank), facts.withRank(node, rank)]
  facts.sameDtype(node, a, b)
  if (!x || !y || !out) return
  facts.sizes.unify(x.at(-1)!, y.at(-2)!)
  facts.sizes.unify(x.at(-2)!, out.at(-2)!)
  facts.sizes.unify(y.at(-1)!, out.at(-1)!)
  if (rank === 3) for (const v of [y[0]!, out[0]!]) facts.sizes.unify(x[0]!, v)
}

/** Broadcasting hides sizes of 1; an operand with unknown shape usually has the shape of the other. */
function broadcastOf(facts: ShapeFacts, node: Node, [a, b]: readonly Arg[], soft: boolean): void {
  if (!isNode(b) || !isNode(a)) return facts.sameShape(node, isNode(a) ? a : b)
  const [x, y] = [facts.dimsOf(a), facts.dimsOf(b)]
  if (x && y && x.length === y.length && x.every((d, i) => facts.sizes.same(d, y[i]!))) facts.setDims(node, x)
  else if (x && y) {
    const [long, short] = x.length >= y.length ? [x, y] : [y, x]
    const skip = long.length - short.length
    const out = long.map((d, i) => (i >= skip && facts.sizes.get(d)?.value === 1 ? short[i - skip]! : d))
    if (out.every((d) => facts.sizes.get(d))) facts.setDims(node, out)
  }
  if (!soft) return
  const out = facts.dimsOf(node)
  const known = x ?? y ?? out
  if (!known) return
  if (!x) facts.setDims(a, known)
  if (!y) facts.setDims(b, known)
  if (!out) facts.setDims(node, known)
}

export const broadcast: Relation = (facts, node, soft) => {
  broadcastOf(facts, node, node.args, soft)
  facts.sameDtype(node, ...node.args.slice(0, 2))
}

/** A comparison, whose result is bool. */
export const compared: Relation = (facts, node, soft) => {
  broadcastOf(facts, node, node.args, soft)
  facts.sameDtype(...node.args.slice(0, 2))
}

/** `where`: the condition is bool. */
export const chosen: Relation = (facts, node, soft) => {
  broadcastOf(facts, node, node.args.slice(1), soft)
  facts.sameDtype(node, ...node.args.slice(1))
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

export const viewed: Relation = (facts, node) => {
  facts.sameDtype(node, node.args[0])
  const dims = literals(facts, node, node.args[1])
  if (dims && !facts.dimsOf(node)) facts.setDims(node, dims)
}

export const reduced: Relation = (facts, node) => {
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

export const normed: Relation = (facts, node) => {
  const sizes = literals(facts, node, node.args[1])
  if (!sizes) return
  facts.setDims(node.args[2], sizes)
  facts.setDims(node.args[3], sizes)
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
    if (isGetitem(user) && user.args[1] === 0n) {
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
