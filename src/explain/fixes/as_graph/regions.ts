/** Finds parts of a graph that may compute a search function in another way: outputs, nodes, and values of the parameters. */
import { Node } from '../../../fx'
import type { PatternSite } from '../pattern_site'

/** A part of the graph between values that stand for parameters and values that stand for outputs. */
export interface Region {
  outputs: readonly Node[]
  /** In graph order. */
  nodes: readonly Node[]
  /** Name of the parameter that each input of the region stands for. */
  inputs: ReadonlyMap<Node, string>
}

/** Maximum number of nodes of a region, as a multiple of the pattern's, and in addition to it. */
const MAX_GROWTH = { factor: 2, extra: 10 }
/** Maximum number of regions to try. */
const MAX_REGIONS = 6

/** @param outputs graph nodes in the order of the pattern's outputs */
export function regionsFor(site: PatternSite, outputs: readonly Node[]): Region[] {
  const { pattern, alignment, index } = site
  if (!pattern) return []
  const bound = new Map<Node, string>()
  for (const [name, value] of alignment?.bound ?? [])
    if (value instanceof Node && !bound.has(value)) bound.set(value, name)
  const most = pattern.calls.length * MAX_GROWTH.factor + MAX_GROWTH.extra
  const found = [...cuts(site, outputs, bound, most)]
  // The alignment of a different computation may have taken wrong values for the parameters.
  if (bound.size > 0) found.push(...cuts(site, outputs, new Map(), most))
  const order = new Map([...index.nodes].map((n, i) => [n, i]))
  return found.slice(0, MAX_REGIONS).map((r) => ({
    ...r,
    nodes: [...r.nodes].sort((a, b) => order.get(a)! - order.get(b)!),
  }))
}

/** Grows a region from the outputs, the last node first, and yields it whenever its inputs fit the parameters. */
function* cuts(
  site: PatternSite,
  outputs: readonly Node[],
  bound: ReadonlyMap<Node, string>,
  most: number,
): Generator<Region> {
  const nodes = new Set<Node>()
  const leaves = new Set<Node>(outputs)
  const order = new Map([...site.index.nodes].map((n, i) => [n, i]))
  for (let steps = 0; steps <= most; steps++) {
    const open = [...leaves].filter((n) => !bound.has(n) && n.op === 'call_function')
    // A constant has no inputs and belongs to the region.
    const last = open.find((n) => n.inputs().length === 0) ?? latest(open, order)
    if (nodes.size > 0 && !open.some((n) => n.inputs().length === 0))
      for (const inputs of assignments(site, [...leaves], bound)) yield { outputs, nodes: [...nodes], inputs }
    if (!last) return
    leaves.delete(last)
    nodes.add(last)
    for (const input of last.inputs()) if (!nodes.has(input)) leaves.add(input)
  }
}

const latest = (nodes: readonly Node[], order: ReadonlyMap<Node, number>): Node | undefined =>
  nodes.reduce<Node | undefined>((best, n) => (!best || order.get(n)! > order.get(best)! ? n : best), undefined)

/** The ways to give every parameter one of the values, by rank and by the alignment. */
function* assignments(
  { entry, pattern }: PatternSite,
  leaves: readonly Node[],
  bound: ReadonlyMap<Node, string>,
): Generator<ReadonlyMap<Node, string>> {
  const { registration } = entry
  if (!('argNames' in registration) || leaves.length !== registration.argNames.length || !pattern) return
  const names = registration.argNames.filter((n) => ![...bound].some(([g, name]) => name === n && leaves.includes(g)))
  const free = leaves.filter((g) => !bound.has(g))
  if (free.length !== names.length || free.length > 4) return
  const rank = (g: Node): number => (g.meta.val?.kind === 'tensor' ? g.meta.val.shape.length : -1)
  const wanted = (name: string): number => {
    const example = registration.exampleInputs[registration.argNames.indexOf(name)]
    return example?.kind === 'tensor' ? example.shape.length : -1
  }
  for (const order of permutations(free))
    if (names.every((n, i) => rank(order[i]!) === wanted(n) && wanted(n) >= 0))
      yield new Map([
        ...leaves.flatMap((g) => (bound.has(g) ? [[g, bound.get(g)!] as const] : [])),
        ...names.map((n, i) => [order[i]!, n] as const),
      ])
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield []
  for (const [i, item] of items.entries())
    for (const rest of permutations([...items.slice(0, i), ...items.slice(i + 1)])) yield [item, ...rest]
}
