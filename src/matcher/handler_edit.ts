/** User code's view of a match: extra_checks read it, handlers of graph patterns also edit the graph through it. */
import type { TorchRules } from '../base/torch_version'
import { Node, type Arg, type Graph, type Val } from '../fx'
import { TorchError } from '../trace/types'
import type { Match } from './match'
import { contextOf, type MatchContext } from './match_context'
import { isOfDynamo, valueOfNode } from './node_value'
import { replaceWithGraph, transferMeta } from './replace'
import type { TorchFacts } from './schema_facts'
import type { CallableId } from './types'
import type { MatchEdit, MatchView, PatternHost } from './host'

export function viewOf(match: Match): MatchView {
  const { nodes, args, kwargs } = match
  return { nodes, args, kwargs, outputs: match.outputNodes(), ctx: contextOf(match) }
}

export class HandlerEdit implements MatchEdit {
  nodes: readonly Node[]
  readonly args: readonly unknown[]
  readonly kwargs: ReadonlyMap<string, unknown>
  readonly outputs: readonly (Node | null)[]
  readonly ctx: MatchContext
  /** Nodes that replaceByExample inserted. */
  readonly added: Node[] = []

  constructor(
    match: Match,
    readonly graph: Graph,
    private readonly host: PatternHost,
    private readonly facts: TorchFacts,
  ) {
    const view = viewOf(match)
    this.nodes = view.nodes
    this.args = view.args
    this.kwargs = view.kwargs
    this.outputs = view.outputs
    this.ctx = view.ctx
  }

  replaceByExample(fn: CallableId, argNames: readonly string[], args: readonly Arg[]): readonly Node[] {
    const sameAs = args.map((a) => (a instanceof Node ? args.indexOf(a) : -1))
    const replacement = this.host.trace(
      fn,
      argNames,
      args.map((a) => exampleValue(a, this.facts.rules)),
      { sameAs, unfaked: args.some((a) => a instanceof Node && isOfDynamo(a)) },
    )
    const [only] = this.nodes
    if (only && this.nodes.length === 1) for (const n of replacement.nodes()) transferMeta(n.meta, only)
    return this.replaceWithGraph(replacement, args)
  }

  replaceWithGraph(replacement: Graph, args: readonly Arg[]): readonly Node[] {
    const matched = { nodes: this.nodes, outputNodes: () => [...this.outputs] }
    const { added } = replaceWithGraph(matched, this.graph, replacement, args, this.facts)
    this.added.push(...added)
    return added
  }

  eraseNodes(): void {
    for (const n of [...this.nodes].reverse()) if (!n.erased && n.users.size === 0) this.graph.eraseNode(n)
  }
}

/** meta["val"] of a node; a constant is returned unchanged. */
function exampleValue(arg: Arg, rules: TorchRules): Val {
  if (arg instanceof Node) {
    if (!rules.exampleValues && isOfDynamo(arg)) throw new TorchError('KeyError', "'val'")
    const val = valueOfNode(arg)
    if (!val) throw new TorchError('KeyError', "'example_value'")
    return val
  }
  return { kind: 'scalar', value: arg as bigint | number | boolean | null }
}
