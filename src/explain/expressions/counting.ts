/**
 * Counts the nodes of a graph that pass each expression of a pattern: alone by the checks of _TargetArgsExpr._match, and
 * with the expressions in its arguments by the matcher itself.
 */
import { Node, type Arg, isKind } from '../../fx'
import { ListOf, MultiOutputPattern, RepeatedExpr } from '../../matcher/expr/combined'
import { isContainer } from '../../matcher/expr/flatten'
import { GetAttr } from '../../matcher/expr/get_attr'
import { argumentsAt, matchesAt, type MatchScope } from '../../matcher/expr/match_at'
import { MULTIPLE } from '../../matcher/expr/pattern'
import { PatternExpr } from '../../matcher/expr/pattern_expr'
import { TargetExpr } from '../../matcher/expr/target'
import { isTargetArgsExpr, type TargetArgsExpr } from '../../matcher/expr/target_args'
import { pyEqual } from '../../matcher/py'
import type { SchemaLookup } from '../../matcher/schema_facts'
import { wrappedBy, type Piece } from './pieces'
import type { TargetIndex } from './target_index'
import type { CheckCount } from './types'

type Check = CheckCount['check']

export interface Counted {
  /** Nodes left after each check that compares something, in order. */
  checks: { check: Check; nodes: readonly Node[] }[]
  /** Nodes that pass without regard to expressions in the arguments. */
  alone: readonly Node[]
  /** Nodes that match with all expressions; null if a `_match` of the user is among them. */
  whole: readonly Node[] | null
  /** For a call: by node with the same structure, its arguments paired with `flat.items`. */
  items: ReadonlyMap<Node, readonly Arg[]>
}

export class Counter {
  private readonly counted = new Map<PatternExpr, Counted | null>()
  private readonly wholes = new Map<PatternExpr, ReadonlySet<Node>>()
  private readonly scope: MatchScope

  constructor(
    root: PatternExpr,
    private readonly index: TargetIndex,
    schemaOf: SchemaLookup,
  ) {
    const outputs = root instanceof MultiOutputPattern ? root.all : [root]
    this.scope = { outputs, graph: index.graph, schemaOf }
  }

  isOutput(pattern: PatternExpr): boolean {
    return this.scope.outputs.includes(pattern)
  }

  /** Null for an expression that compares no nodes itself: an argument, a list, a user's `_match`. */
  of(pattern: PatternExpr): Counted | null {
    let counted = this.counted.get(pattern)
    if (counted === undefined) this.counted.set(pattern, (counted = this.count(pattern)))
    return counted
  }

  private count(pattern: PatternExpr): Counted | null {
    if (pattern.hasOwnMatch) return null
    if (pattern instanceof MultiOutputPattern) return this.combined(pattern, pattern.all[0]!)
    if (pattern instanceof RepeatedExpr) return this.combined(pattern, pattern.inner)
    if (pattern instanceof GetAttr) return this.attribute(pattern)
    if (!(pattern instanceof TargetExpr)) return null
    const counted = isTargetArgsExpr(pattern) ? this.call(pattern) : this.anyArguments(pattern)
    return this.withWhole(pattern, counted, isTargetArgsExpr(pattern) && hasPatterns(pattern))
  }

  /** An expression that starts at another expression's nodes. */
  private combined(pattern: PatternExpr, first: PatternExpr): Counted | null {
    const from = this.of(first)
    if (!from) return null
    const operator = from.checks.filter((c) => c.check === 'operator')
    const counted = { checks: operator, alone: from.whole ?? from.alone, items: new Map<Node, readonly Arg[]>() }
    return this.withWhole(pattern, { ...counted, whole: null }, true)
  }

  private attribute(pattern: GetAttr): Counted {
    const nodes = [...this.index.graph.nodes()].filter((n) => n.op === 'get_attr')
    const counted: Counted = { checks: [{ check: 'operator', nodes }], alone: nodes, whole: null, items: new Map() }
    const { users } = pattern
    if (!this.isOutput(pattern) && users !== MULTIPLE) narrow(counted, 'users', (n) => n.users.size === users)
    narrow(counted, 'constants', (n) => this.matches(pattern, n))
    return this.noteWhole(pattern, { ...counted, whole: counted.alone })
  }

  private anyArguments(pattern: TargetExpr): Counted {
    const counted = this.byOperator(pattern)
    this.narrowUsers(counted, pattern)
    return counted
  }

  private call(pattern: TargetArgsExpr): Counted {
    const counted = this.byOperator(pattern)
    const { length } = pattern.args
    narrow(counted, 'arity', (n) => n.args.length === length)
    this.narrowUsers(counted, pattern)
    const items = new Map<Node, readonly Arg[]>()
    const structured = (n: Node): boolean => {
      const found = argumentsAt(pattern, n, this.scope.schemaOf)
      if (found) items.set(n, found)
      return found !== null
    }
    const nested = pattern.flat.items.length !== pattern.args.length + pattern.kwargs.size || hasContainers(pattern)
    if (nested || pattern.kwargs.size > 0) narrow(counted, 'structure', structured)
    else counted.alone.forEach(structured)
    const constants = pattern.flat.items.flatMap((item, i) => (item instanceof PatternExpr ? [] : [i]))
    if (constants.length > 0)
      narrow(counted, 'constants', (n) => {
        const own = items.get(n)!
        return constants.every((i) => isValue(own[i]!, pattern.flat.items[i] as Arg))
      })
    return { ...counted, items }
  }

  private byOperator(pattern: TargetExpr): Counted {
    const wrapped = wrappedBy(pattern)
    const nodes = this.index
      .nodesOf(pattern.fns)
      .filter((n) => pattern.matchFns(n) && (wrapped === null || wrapperOf(n) === wrapped))
    return { checks: [{ check: 'operator', nodes }], alone: nodes, whole: null, items: new Map() }
  }

  private narrowUsers(counted: Counted, pattern: TargetExpr): void {
    const { users } = pattern
    if (this.isOutput(pattern) || users === MULTIPLE) return
    narrow(counted, 'users', (n) => n.users.size === users)
  }

  private withWhole(pattern: PatternExpr, counted: Counted, deeper: boolean): Counted {
    if (containsOwnMatch(pattern)) return counted
    if (!deeper) return this.noteWhole(pattern, { ...counted, whole: counted.alone })
    const wanted = isTargetArgsExpr(pattern) ? this.wantedInputs(pattern) : []
    const possible = counted.alone.filter((n) => {
      const items = counted.items.get(n)
      return !items || wanted.every(([i, nodes]) => nodes.has(items[i] as Node))
    })
    const whole = possible.filter((n) => this.matches(pattern, n))
    const checks = [...counted.checks, { check: 'inputs' as const, nodes: whole }]
    return this.noteWhole(pattern, { ...counted, checks, whole })
  }

  private noteWhole(pattern: PatternExpr, counted: Counted): Counted {
    this.wholes.set(pattern, new Set(counted.whole))
    return counted
  }

  /** By position in `flat.items`: the nodes that match the expression there. A node outside this set cannot match. */
  private wantedInputs({ flat }: TargetArgsExpr): [number, ReadonlySet<Node>][] {
    return flat.items.flatMap((item, i) => {
      if (!(item instanceof TargetExpr || item instanceof GetAttr) || !this.of(item)) return []
      const nodes = this.wholes.get(item)
      return nodes ? [[i, nodes] as [number, ReadonlySet<Node>]] : []
    })
  }

  private matches(pattern: PatternExpr, node: Node): boolean {
    return matchesAt(pattern, node, this.scope)
  }
}

function narrow(counted: Counted, check: Check, passes: (n: Node) => boolean): void {
  counted.alone = counted.alone.filter(passes)
  counted.checks.push({ check, nodes: counted.alone })
}

/** True if the argument of a node equals the constant of a pattern. */
export const isValue = (found: Arg, constant: Arg): boolean => !(found instanceof Node) && pyEqual(found, constant)

/** The values that a call's nodes have for one of its arguments. */
export function valuesAt(counted: Counted, { call }: Piece): Map<Node, Arg> {
  const values = new Map<Node, Arg>()
  if (call) for (const [node, items] of counted.items) values.set(node, items[call.flat]!)
  return values
}

const hasPatterns = ({ flat }: TargetArgsExpr): boolean => flat.items.some((i) => i instanceof PatternExpr)
const hasContainers = ({ args, kwargs }: TargetArgsExpr): boolean => [...args, ...kwargs.values()].some(isContainer)

function containsOwnMatch(pattern: PatternExpr): boolean {
  if (pattern.hasOwnMatch) return true
  if (isTargetArgsExpr(pattern)) return pattern.flat.items.some((i) => i instanceof PatternExpr && containsOwnMatch(i))
  if (pattern instanceof MultiOutputPattern) return pattern.all.some((o) => o !== null && containsOwnMatch(o))
  if (pattern instanceof RepeatedExpr) return containsOwnMatch(pattern.inner)
  if (pattern instanceof ListOf) return containsOwnMatch(pattern.pattern)
  return false
}

function wrapperOf(node: Node): string | null {
  const first = node.args[0]
  return isKind(first, 'op') ? first.name : null
}
