/**
 * reinplace_inplaceable_ops (torch/_inductor/fx_passes/reinplace.py) for functionalized operators and index_put:
 * an argument is written in place if no later node uses its old value. Chains of scatters over views
 * (canonicalize_view_scatter_ops) stay unchanged.
 */
import { Node, type Arg, type Graph, wrappedOperator } from '../../fx'
import { FUNCTIONALIZED, keep, mutatedOf, V2 } from './functionalized'
import { Lifetimes } from './lifetimes'
import type { PostGradResult, PostGradContext } from './types'

const INDEX_PUT: ReadonlyMap<string, string> = new Map([['aten.index_put.default', 'aten.index_put_.default']])

export function reinplaceInplaceableOps(graph: Graph, context: PostGradContext): PostGradResult {
  return new Reinplacing(graph, context).run()
}

class Reinplacing {
  private readonly lifetimes: Lifetimes
  private readonly replaced = new Map<Node, Node>()
  private readonly notes: string[] = []
  private count = 0

  constructor(
    private readonly graph: Graph,
    private readonly context: PostGradContext,
  ) {
    this.lifetimes = new Lifetimes(graph, context)
  }

  run(): PostGradResult {
    for (const node of this.graph.nodes()) {
      if (node.op !== 'call_function') continue
      if (FUNCTIONALIZED.has(node.target)) this.functionalized(node)
      else if (INDEX_PUT.has(node.target)) this.indexPut(node)
    }
    for (const [node, by] of this.replaced) {
      let last = by
      while (this.replaced.has(last)) last = this.replaced.get(last)!
      node.replaceAllUsesWith(last)
      this.graph.eraseNode(node)
    }
    return { count: this.count, notes: this.notes }
  }

  private indexPut(node: Node): void {
    const into = node.args[0]
    if (!(into instanceof Node) || this.lifetimes.obstacle(node, into) !== null) return
    this.dropCopy(node, into)
    node.target = INDEX_PUT.get(node.target)!
    this.note(`${node.name} writes into ${into.name}`)
  }

  private functionalized(node: Node): void {
    const target = wrappedOperator(node)
    if (target === null) return
    const written = node.target === V2 ? this.bases(node) : this.arguments(node, target)
    /** Storages that are already written in place. */
    const taken = new Set<number | null>()
    const clones: (string | number)[] = []
    const why: string[] = []
    for (const [key, value] of written) {
      const tensors = value instanceof Node ? [value] : (value as readonly Arg[]).filter((v) => v instanceof Node)
      const name = value instanceof Node ? value.name : String(key)
      const storages = tensors.map((t) => this.lifetimes.storage(t))
      const obstacle = storages.some((s) => taken.has(s))
        ? 'another argument in the same storage is written to where it lies'
        : this.obstacleOf(node, tensors, storages)
      if (obstacle === null) {
        for (const t of tensors) this.dropCopy(node, t)
        for (const s of storages) taken.add(s)
      } else {
        clones.push(key)
        why.push(`${name} is cloned: ${obstacle}`)
      }
    }
    keep(node, clones)
    this.note(
      `${node.name}: ${why.length === 0 ? 'all that it writes to is written to where it lies' : why.join('; ')}`,
    )
  }

  private obstacleOf(node: Node, tensors: readonly Node[], storages: readonly (number | null)[]): string | null {
    if (new Set(storages).size !== storages.length) return 'two of its tensors share storage'
    for (const t of tensors) {
      const obstacle = this.lifetimes.obstacle(node, t)
      if (obstacle !== null) return obstacle
    }
    return null
  }

  /** The written arguments of a v1 call, without those that are None. */
  private arguments(node: Node, target: string): [string, Arg][] {
    return mutatedOf(node, target, this.context.schemaOf).flatMap((name): [string, Arg][] => {
      const value = node.kwargs.get(name) ?? null
      return value === null ? [] : [[name, value]]
    })
  }

  private bases(node: Node): [number, Arg][] {
    const bases = (node.kwargs.get('_all_bases') ?? []) as readonly Arg[]
    return bases.map((b, i) => [i, b])
  }

  /** Removes the redundant copy of the result back into the argument. */
  private dropCopy(node: Node, argument: Node): void {
    const copy = this.lifetimes.copyBack(argument, node)
    if (copy) this.replaced.set(copy, argument)
  }

  private note(text: string): void {
    this.count++
    this.notes.push(text)
  }
}
