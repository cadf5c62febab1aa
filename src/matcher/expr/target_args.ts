import { Node, type Arg, type NodeOp } from '../../fx'
import { FailedMatch, Match, type MatchResult } from '../match'
import type { MatchContext } from '../match_context'
import type { SchemaLookup } from '../schema_facts'
import { ambiguity, normalizeFunction } from '../signatures/normalize'
import { pyEqual } from '../py'
import { asserted } from '../reasons/refusal'
import { argRepr, argStr } from './arg_text'
import { isContainer, leavesLike, pytreeFlatten, simpleFlatten, type Flat } from './flatten'
import { MULTIPLE, type Users } from './pattern'
import { PatternExpr, type PatternArg, type PatternPrinter } from './pattern_expr'
import { TargetExpr } from './target'

/** Matches a node by target, arguments and number of users. */
abstract class TargetArgsExpr extends TargetExpr {
  readonly flat: Flat
  /** True if an argument of the pattern is a list, tuple or dict: arguments are then compared leaf by leaf. */
  private readonly nested: boolean
  private readonly kwargNames: readonly string[]
  /** Positional arguments, then keyword arguments. */
  private readonly all: readonly PatternArg[]

  constructor(
    op: NodeOp,
    fns: readonly string[],
    readonly args: readonly PatternArg[] = [],
    readonly kwargs: ReadonlyMap<string, PatternArg> = new Map(),
    users: Users = 1,
  ) {
    super(op, fns, users)
    this.nested = args.some(isContainer) || [...kwargs.values()].some(isContainer)
    this.kwargNames = [...kwargs.keys()]
    this.all = [...args, ...kwargs.values()]
    this.flat = this.flatten(args, kwargs)
  }

  matchNode(node: Arg, ctx: MatchContext): MatchResult {
    if (!this.matchFns(node)) return this.functionMismatch(node)
    if (node.args.length !== this.args.length) return this.arityMismatch(node)
    if (!this.matchUsers(node, ctx)) return this.multipleUsers(node)
    const given = this.argumentsOf(node, ctx.schemaOf)
    if (!given) return this.functionMismatch(node)
    const items = this.itemsLike(given.args, given.kwargs)
    if (!items) return this.structureMismatch(node, given.args, given.kwargs)
    ctx.reached.push(node)
    return this.matchItems(node, items, ctx)
  }

  /**
   * The node's arguments, completed with the schema's defaults if the pattern names more keywords; null if that fails.
   * @throws TorchError for a method or module with fewer keywords than the pattern, and for a call that fits several overloads
   */
  argumentsOf(node: Node, schemaOf: SchemaLookup): Pick<Node, 'args' | 'kwargs'> | null {
    if (node.kwargs.size >= this.kwargs.size) return node
    if (node.op === 'call_method' || node.op === 'call_module')
      throw asserted(`expected callable node.target, got ${node.target}`, this.rules)
    const ambiguous = ambiguity(node.target, node.args, node.kwargs)
    if (ambiguous) throw ambiguous
    const normalized = normalizeFunction(node.target, node.args, node.kwargs, schemaOf)
    const fits = normalized?.args.length === this.args.length && normalized.kwargs.size >= this.kwargs.size
    return fits ? normalized : null
  }

  /** The node's arguments paired with `flat.items`; null if their structure differs. */
  itemsLike(args: readonly Arg[], kwargs: ReadonlyMap<string, Arg>): readonly Arg[] | null {
    // Structures are compared without printing the specs (argument counts, keywords and their order, nesting), because
    // the matcher spends its time here.
    if (args.length !== this.args.length) return null
    let items = args
    if (this.kwargNames.length > 0) {
      const all = args.slice()
      let next = 0
      for (const [name, value] of kwargs) {
        if (!this.kwargs.has(name)) continue
        if (this.kwargNames[next++] !== name) return null
        all.push(value)
      }
      if (next !== this.kwargNames.length) return null
      items = all
    }
    return this.nested ? (leavesLike(this.all, items) as Arg[] | null) : items
  }

  private flatten(args: readonly PatternArg[], kwargs: Iterable<readonly [string, PatternArg]>): Flat {
    return this.nested ? pytreeFlatten(args, kwargs) : simpleFlatten(args, kwargs)
  }

  /** The node's keyword arguments that the pattern names. */
  private named(kwargs: ReadonlyMap<string, Arg>): (readonly [string, Arg])[] {
    return [...kwargs].filter(([k]) => this.kwargs.has(k))
  }

  private matchItems(node: Node, items: readonly Arg[], ctx: MatchContext): MatchResult {
    const m = new Match(ctx, this)
    for (let i = 0; i < items.length; i++) {
      const pattern = this.flat.items[i]!
      const child = items[i]!
      if (pattern instanceof PatternExpr) {
        const childMatch = ctx.match(pattern, child)
        if (!childMatch.ok) return childMatch
        m.extend(childMatch, this, node)
      } else if (child instanceof Node || !pyEqual(child, pattern as Arg))
        return this.constantMismatch(node, i, child, pattern as Arg)
    }
    m.addNode(node)
    return m
  }

  override *anchorNodes(ctx: MatchContext, searched: Set<Node>): IterableIterator<Arg> {
    const seen = ctx.patternToNode.get(this)
    if (seen !== undefined) {
      yield seen
      return
    }
    for (const pattern of this.flat.items) {
      if (!(pattern instanceof PatternExpr)) continue
      for (const other of pattern.anchorNodes(ctx, searched)) {
        if (!(other instanceof Node)) continue
        for (const node of other.users) {
          if (searched.has(node) || !this.matchFns(node)) continue
          yield node
          searched.add(node)
        }
      }
    }
  }

  private arityMismatch(node: Node): FailedMatch {
    return new FailedMatch({ kind: 'arity', pattern: this, node, expected: this.args.length })
  }

  private structureMismatch(node: Node, args: readonly Arg[], kwargs: ReadonlyMap<string, Arg>): FailedMatch {
    const found = (): Flat => this.flatten(args, this.named(kwargs))
    return new FailedMatch({ kind: 'args_structure', pattern: this, node, expected: this.flat, found })
  }

  private constantMismatch(node: Node, index: number, child: Arg, pattern: Arg): FailedMatch {
    const argument = this.flat.paths[index]!
    return new FailedMatch({ kind: 'constant_args', pattern: this, node, argument, expected: pattern, found: child })
  }

  protected override makeRepr(): string {
    return this.textWith(argRepr, argStr)
  }

  override prettyPrint(pp: PatternPrinter): string {
    const print = (a: PatternArg): string => pp.prettyPrint(a)
    return this.textWith(print, print)
  }

  private textWith(arg: (a: PatternArg) => string, kwarg: (a: PatternArg) => string): string {
    const parts = [this.fnsRepr(), ...this.args.map(arg), ...[...this.kwargs].map(([k, v]) => `${k}=${kwarg(v)}`)]
    if (this.users === MULTIPLE) parts.push('_users=MULTIPLE')
    else if (this.users !== 1) parts.push(`_users=${this.users}`)
    return `${this.className}(${parts.join(', ')})`
  }
}

export type { TargetArgsExpr }
export const isTargetArgsExpr = (p: unknown): p is TargetArgsExpr => p instanceof TargetArgsExpr

const targetArgs = (op: NodeOp, className: string) =>
  class extends TargetArgsExpr {
    override readonly className = className

    constructor(
      fns: readonly string[],
      args: readonly PatternArg[] = [],
      kwargs: ReadonlyMap<string, PatternArg> = new Map(),
      users: Users = 1,
    ) {
      super(op, fns, args, kwargs, users)
    }
  }

/** Matches a call_function node: `fns[i](*args, **kwargs)`. */
export class CallFunction extends targetArgs('call_function', 'CallFunction') {}

/** Matches a call_method node: `args[0].fns[i](*args[1:], **kwargs)`. */
export class CallMethod extends targetArgs('call_method', 'CallMethod') {}

/** Matches a call_module node: `module(*args, **kwargs)`. */
export class CallModule extends targetArgs('call_module', 'CallModule') {}
