/** A canonical form of a graph that ignores names: an order by structure, and labels of nodes. */
import { formatPython, formatVal, mapArg, type Arg, type Graph, type Node } from '../../fx'

/**
 * Labels of nodes, from the most specific to the least specific; nodes with equal labels are alike. `whole`: all inputs and all
 * users, with constants and values; `users`, `inputs`: only those; `near`: operators within two steps; `local`: the node's
 * operator, constants and value; `operator`: operator.
 */
export const LEVELS = ['whole', 'users', 'inputs', 'near', 'local', 'operator'] as const
export type Level = (typeof LEVELS)[number]

/** Nodes are numbered in post-order from the output: independent of names and of the order of independent nodes. */
export interface CanonicalGraph {
  order: readonly Node[]
  index: ReadonlyMap<Node, number>
  /** Distinct inputs, by node. */
  inputs: readonly (readonly number[])[]
  /** Users with the position of the node among their inputs, by node. */
  uses: readonly (readonly Use[])[]
  labels: Readonly<Record<Level, Int32Array>>
}

export type Use = readonly [user: number, position: number]

/** Numbers labels. Both graphs of a comparison share one numbering, so that equal numbers mean equal structure. */
export class Labeler {
  private readonly numbers = new Map<string, number>()

  number(text: string): number {
    let n = this.numbers.get(text)
    if (n === undefined) this.numbers.set(text, (n = this.numbers.size))
    return n
  }
}

export function canonical(graph: Graph, labeler: Labeler): CanonicalGraph {
  const inputsOf = new Map([...graph.nodes()].map((n) => [n, n.inputs()]))
  const order = postOrder(graph, inputsOf)
  const index = new Map(order.map((n, i) => [n, i]))
  const inputs = order.map((n) => inputsOf.get(n)!.map((i) => index.get(i)!))
  const uses: Use[][] = order.map(() => [])
  inputs.forEach((list, user) => list.forEach((input, position) => uses[input]!.push([user, position])))
  const labels = labelsOf({ order, inputs, uses }, labeler)
  return { order, index, inputs, uses, labels }
}

function labelsOf(
  { order, inputs, uses }: Pick<CanonicalGraph, 'order' | 'inputs' | 'uses'>,
  labeler: Labeler,
): CanonicalGraph['labels'] {
  const size = order.length
  const all = (of: (i: number) => string): Int32Array =>
    Int32Array.from({ length: size }, (_, i) => labeler.number(of(i)))
  const symbols = symbolNames(order)
  const operator = all((i) => `o${order[i]!.op} ${hasTarget(order[i]!) ? order[i]!.target : ''}`)
  const local = all((i) => `l${operator[i]} ${constantsText(order[i]!, symbols)} ${valueText(order[i]!, symbols)}`)
  const above = new Int32Array(size)
  // Inputs come before their users in post-order.
  for (let i = 0; i < size; i++) above[i] = labeler.number(`i${local[i]} ${inputs[i]!.map((x) => above[x]).join()}`)
  const below = new Int32Array(size)
  for (let i = size - 1; i >= 0; i--) below[i] = labeler.number(`u${local[i]} ${usesText(uses[i]!, below)}`)
  const nearer = (labels: Int32Array): Int32Array =>
    all((i) => `n${labels[i]} ${inputs[i]!.map((x) => labels[x]).join()} ${usesText(uses[i]!, labels)}`)
  const whole = all((i) => `w${above[i]} ${below[i]}`)
  return { whole, users: below, inputs: above, near: nearer(nearer(operator)), local, operator }
}

const usesText = (uses: readonly Use[], labels: Int32Array): string =>
  uses
    .map(([user, position]) => labels[user]! * 64 + Math.min(position, 63))
    .sort((a, b) => a - b)
    .join()

/** The targets of other nodes are names. */
const hasTarget = ({ op }: Node): boolean => op !== 'placeholder' && op !== 'output' && op !== 'get_attr'

function postOrder(graph: Graph, inputsOf: ReadonlyMap<Node, Node[]>): Node[] {
  const done = new Set<Node>()
  const order: Node[] = []
  const visit = (root: Node): void => {
    const stack: [Node, Node[], number][] = [[root, inputsOf.get(root)!, 0]]
    done.add(root)
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top[1][top[2]++]
      if (!next) order.push(stack.pop()![0])
      else if (!done.has(next)) {
        done.add(next)
        stack.push([next, inputsOf.get(next)!, 0])
      }
    }
  }
  const output = graph.output()
  if (output) visit(output)
  // Nodes that the output does not need (writing nodes and unused inputs), in the graph's order.
  for (const n of graph.nodes()) if (n.users.size === 0 && !done.has(n)) visit(n)
  for (const n of graph.nodes()) if (!done.has(n)) visit(n)
  return order
}

/** `s72` → `$0`, in the order of appearance, because dumps of one model name symbols differently. */
function symbolNames(order: readonly Node[]): (text: string) => string {
  const names = new Map<string, string>()
  const rename = (text: string): string =>
    text.replaceAll(/\b[su]\d+\b/g, (s) => {
      if (!names.has(s)) names.set(s, `$${names.size}`)
      return names.get(s)!
    })
  for (const n of order) if (n.meta.val) rename(formatVal(n.meta.val))
  return rename
}

/** An argument with `%` in place of nodes. */
export const argText = (a: Arg): string => formatPython(mapArg(a, () => ({ kind: 'opaque', text: '%' })))

/** Arguments with `%` in place of nodes. */
export function constantsText(n: Node, rename: (text: string) => string = (t) => t): string {
  return rename([...n.args.map(argText), ...[...n.kwargs].map(([k, v]) => `${k}=${argText(v)}`)].join(', '))
}

const valueText = (n: Node, rename: (text: string) => string): string =>
  n.meta.val ? rename(formatVal(n.meta.val, { stride: true, device: true })) : ''

/** True if two calls have the same number of arguments and the same keywords. */
export const sameArity = (a: Node, b: Node): boolean =>
  a.args.length === b.args.length &&
  a.kwargs.size === b.kwargs.size &&
  [...a.kwargs.keys()].every((k) => b.kwargs.has(k))
