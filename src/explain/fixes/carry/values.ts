/** Relates expressions of the search function to expressions of the replacement that have the same value. */
import { clone, eliminateDeadCode, type Graph, type Node, isGetitem } from '../../../fx'
import { isImpure } from '../../../ops/purity'
import type { Fn, PatternSite } from '../pattern_site'
import type { SearchClock } from '../search_clock'
import { functionAround, listField, nodeField, type SyntaxNode, namesIn } from '../syntax'
import type { TrialRunner } from '../trials'

/** The values of a function's expressions: for each expression, the traced node that it evaluates to. */
export type ValuesOf = ReadonlyMap<SyntaxNode, Node>

/** The items of calls with several results, by call and position. */
type ItemsOf = Map<SyntaxNode, Map<number, Node>>

const itemsOf = new WeakMap<ValuesOf, ItemsOf>()

/** @param graph a trace of `fn`, with spans */
export function valuesOf(site: PatternSite, fn: Fn, graph: Graph): ValuesOf {
  const values = new Map<SyntaxNode, Node>()
  const items: ItemsOf = new Map()
  for (const node of graph.nodes()) {
    if (node.op !== 'call_function') continue
    const own = site.spansOf(node).find((e) => functionAround(e.node) === fn.node)
    if (!own) continue
    values.set(own.node, node)
    if (!isGetitem(node)) continue
    const known = items.get(own.node) ?? new Map<number, Node>()
    items.set(own.node, known.set(Number(node.args[1] as bigint), node))
  }
  itemsOf.set(values, items)
  return values
}

/** The value of a name, if a single assignment gives it. */
export function valueOfName(fn: Fn, values: ValuesOf, name: string): Node | null {
  const stores = namesIn(fn.node, name, 'Store')
  const target = stores.length === 1 ? stores[0]! : null
  if (!target?.parent) return null
  const value = nodeField(target.parent, 'value')
  if (value) return values.get(value) ?? null
  // Unpacked: `w, i = torch.topk(…)`.
  const whole = target.parent.parent && nodeField(target.parent.parent, 'value')
  const position = listField(target.parent, 'elts').indexOf(target)
  return (whole && itemsOf.get(values)?.get(whole)?.get(position)) ?? null
}

export class SameValues {
  private readonly known = new Map<string, boolean>()

  constructor(
    private readonly trials: TrialRunner,
    private readonly clock: SearchClock,
    private readonly search: Graph,
    private readonly replacement: Graph,
  ) {}

  /** True if a value of the search function and one of the replacement are equal, up to rounding, for all inputs tried. */
  *same(mine: Node, theirs: Node): Generator<null, boolean> {
    const [a, b] = [mine.meta.val, theirs.meta.val]
    if (a?.kind !== 'tensor' || b?.kind !== 'tensor') return false
    if (a.dtype !== b.dtype || String(a.shape) !== String(b.shape)) return false
    const key = `${mine.name} ${theirs.name}`
    let same = this.known.get(key)
    if (same === undefined) {
      const [left, right] = [returning(this.search, mine.name), returning(this.replacement, theirs.name)]
      const result = yield* this.clock.check((ms) => this.trials.sameFunction(left, right, ms))
      this.known.set(key, (same = result?.numbers === 'equal' || result?.numbers === 'close'))
    }
    return same
  }
}

/** The graph reduced to one of its values. */
function returning(graph: Graph, name: string): Graph {
  const copy = clone(graph).graph
  copy.output()!.setArgs([copy.find(name)!], new Map())
  eliminateDeadCode(copy, isImpure)
  return copy
}
