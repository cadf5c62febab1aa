/** Orders of outputs in which PyTorch's matcher binds each output to its selected node. */
import type { Arg, Node } from '../../fx'
import {
  FailedMatch,
  hasUnsupportedType,
  MatchContext,
  matchFromAnchors,
  type PatternExpr,
  type SchemaLookup,
} from '../../matcher'
import { expressionsOf, type ExpressionOptions } from './expressions'
import type { SelectedNodes } from './types'

/** Maximum number of search steps. In every tested graph, outputs that fail in this many orders fail in all. */
const MAX_STEPS = 3000

export interface OrderOptions extends ExpressionOptions {
  /** True if no other node fits in place of a selected one, so that the order of a value's readers does not matter. */
  unique: boolean
}

/**
 * The matcher starts at the first output and takes, for each further output, the first node that fits; it never backtracks. Yields
 * one order per first output, in graph order if possible.
 */
export function* outputOrders(
  selection: SelectedNodes,
  schemaOf: SchemaLookup,
  options: OrderOptions,
): Generator<readonly Node[]> {
  const { outputs } = selection
  const search = new OrderSearch(selection, schemaOf, options)
  for (const first of outputs) {
    if (hasUnsupportedType(first, schemaOf)) continue
    const order = search.from(first)
    if (order) yield order
  }
}

/** A node that the matcher takes instead of a selected one; null if it finds each selected node, or none that fits. */
export function misbinding(selection: SelectedNodes, schemaOf: SchemaLookup): { wanted: Node; taken: Node } | null {
  for (const exclusive of [true, false]) {
    const search = new OrderSearch(selection, schemaOf, { exclusive, loose: false, unique: false })
    for (const first of selection.outputs) {
      const found = hasUnsupportedType(first, schemaOf) ? null : search.wrongFrom(first)
      if (found) return found
    }
  }
  return null
}

class OrderSearch {
  private readonly exprs
  private steps = 0
  /** Sets of bound outputs that no order can continue. */
  private readonly dead = new Set<string>()

  constructor(
    private readonly selection: SelectedNodes,
    private readonly schemaOf: SchemaLookup,
    private readonly options: OrderOptions,
  ) {
    this.exprs = expressionsOf(selection, options)
  }

  from(first: Node): readonly Node[] | null {
    this.steps = 0
    this.dead.clear()
    const ctx = this.started(first)
    return ctx && this.extend(ctx, [first])
  }

  wrongFrom(first: Node): { wanted: Node; taken: Node } | null {
    const ctx = this.started(first)
    if (!ctx) return null
    let rest = this.selection.outputs.filter((o) => o !== first)
    let wrong: { wanted: Node; taken: Node } | null = null
    for (let before = -1; before !== rest.length;) {
      before = rest.length
      rest = rest.filter((next) => {
        const prior = new Map(ctx.patternToNode)
        const taken = this.bind(ctx, next)
        if (taken === next) return false
        if (taken) wrong = { wanted: next, taken }
        ctx.revert(prior)
        return true
      })
    }
    return rest.length > 0 ? wrong : null
  }

  private started(first: Node): MatchContext | null {
    const ctx = new MatchContext(
      this.selection.outputs.map((o) => this.exprs.get(o)!),
      null,
      this.schemaOf,
    )
    return this.bind(ctx, first, first) === first ? ctx : null
  }

  private extend(ctx: MatchContext, order: readonly Node[]): readonly Node[] | null {
    const { outputs } = this.selection
    if (order.length === outputs.length) return order
    const key = outputs.map((o) => (order.includes(o) ? '1' : '0')).join('')
    if (this.dead.has(key)) return null
    for (const next of outputs) {
      if (order.includes(next) || this.steps++ > MAX_STEPS) continue
      const prior = new Map(ctx.patternToNode)
      const exclusive = ctx.exclusiveNodes.length
      if (this.bind(ctx, next) === next) {
        const found = this.extend(ctx, [...order, next])
        if (found) return found
      }
      ctx.revert(prior)
      ctx.exclusiveNodes.length = exclusive
    }
    this.dead.add(key)
    return null
  }

  /** The node that an output's pattern takes. */
  private bind(ctx: MatchContext, output: Node, at?: Node): Node | null {
    const expr = this.exprs.get(output)!
    try {
      if (!at && this.options.unique) return this.bindOnly(ctx, expr)
      const m = at ? ctx.match(expr, at) : matchFromAnchors(expr, ctx)
      return m.ok ? ((ctx.patternToNode.get(expr) ?? null) as Node | null) : null
    } catch (e) {
      if (e instanceof FailedMatch) return null
      throw e
    }
  }

  /** The only node that fits, even if the matcher tries every other one first. */
  private bindOnly(ctx: MatchContext, expr: PatternExpr): Node | null {
    const prior = new Map(ctx.patternToNode)
    const exclusive = ctx.exclusiveNodes.length
    const candidates = [...new Set(expr.anchorNodes(ctx, new Set()))]
    const fits = (node: Arg): boolean => {
      const { ok } = ctx.match(expr, node)
      ctx.revert(prior)
      return ok
    }
    const fitting = candidates.filter((node) => {
      const ok = fits(node)
      ctx.exclusiveNodes.length = exclusive
      return ok
    })
    const [only] = fitting
    if (fitting.length !== 1 || only === undefined) return null
    // A failed attempt keeps its exclusive inputs bound.
    for (const node of candidates) if (node !== only) fits(node)
    return ctx.match(expr, only).ok ? (only as Node) : null
  }
}
