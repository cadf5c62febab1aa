/** Lists the expressions of a pattern in preorder: calls, their arguments, constants, containers. */
import { isOverload, type Arg, isKind } from '../../fx'
import { ListOf, MultiOutputPattern, RepeatedExpr } from '../../matcher/expr/combined'
import { containerParts } from '../../matcher/expr/arg_text'
import { PatternExpr, type PatternArg } from '../../matcher/expr/pattern_expr'
import { TargetExpr } from '../../matcher/expr/target'
import { isTargetArgsExpr, type TargetArgsExpr } from '../../matcher/expr/target_args'
import { argumentName } from '../../matcher/steps/step_text'

/** One expression of a pattern, at its place. */
export interface Piece {
  index: number
  parent: Piece | null
  depth: number
  where: string | null
  /** The expression or constant; null for an output without a pattern, and for the constant None. */
  arg: PatternArg
  /** The earlier piece with the same object. */
  same: Piece | null
  /** If it is an argument of a call: the call, and its position in `flat.items`; null for a container and elsewhere. */
  call: { piece: Piece; flat: number } | null
  /** The constant that a traced stage-one pattern replaced by Ignored(). */
  constant?: Arg | PatternArg
}

/** @param exact the same pattern with constants in place of the wildcards of `pattern` */
export function piecesOf(pattern: PatternExpr, exact: PatternExpr | null = null): Piece[] {
  const lister = new Lister()
  lister.add(pattern, exact, null, null, null)
  return lister.pieces
}

class Lister {
  readonly pieces: Piece[] = []
  private readonly seen = new Map<PatternExpr, Piece>()

  add(
    arg: PatternArg,
    exact: PatternArg | null | undefined,
    parent: Piece | null,
    where: string | null,
    call: Piece['call'],
  ): void {
    const same = arg instanceof PatternExpr ? (this.seen.get(arg) ?? null) : null
    const piece: Piece = {
      index: this.pieces.length,
      parent,
      depth: parent ? parent.depth + 1 : 0,
      where,
      arg,
      same,
      call,
    }
    this.pieces.push(piece)
    if (!(arg instanceof PatternExpr) || same) return
    this.seen.set(arg, piece)
    if (arg.className === 'Ignored' && exact !== null && exact !== undefined && !(exact instanceof PatternExpr))
      piece.constant = exact
    this.addChildren(piece, arg, exact instanceof PatternExpr ? exact : null)
  }

  private addChildren(piece: Piece, arg: PatternExpr, exact: PatternExpr | null): void {
    if (isTargetArgsExpr(arg)) return this.addArguments(piece, arg, isTargetArgsExpr(exact) ? exact : null)
    if (arg instanceof MultiOutputPattern) {
      const others = exact instanceof MultiOutputPattern ? exact.all : []
      arg.all.forEach((output, i) => output && this.add(output, others[i], piece, `output ${i}`, null))
    }
    if (arg instanceof ListOf) this.add(arg.pattern, null, piece, 'each item', null)
    if (arg instanceof RepeatedExpr) this.add(arg.inner, null, piece, 'each call', null)
  }

  private addArguments(piece: Piece, call: TargetArgsExpr, exact: TargetArgsExpr | null): void {
    let flat = 0
    const one = (arg: PatternArg, other: PatternArg | undefined, path: string, parent: Piece): void => {
      const parts = containerParts(arg)
      if (!parts) return this.add(arg, other, parent, argumentName(path), { piece, flat: flat++ })
      this.add(arg, other, parent, argumentName(path), null)
      const list = this.pieces.at(-1)!
      const others = other === undefined ? null : containerParts(other)
      if (parts.kind === 'dict')
        return parts.entries.forEach(([key, value], i) =>
          one(value, others?.kind === 'dict' ? others.entries[i]?.[1] : undefined, `${path}[${key}]`, list),
        )
      parts.items.forEach((item, i) =>
        one(item, others && others.kind !== 'dict' ? others.items[i] : undefined, `${path}[${i}]`, list),
      )
    }
    call.args.forEach((arg, i) => one(arg, exact?.args[i], String(i), piece))
    for (const [key, arg] of call.kwargs) one(arg, exact?.kwargs.get(key), key, piece)
  }
}

/** The operator that a call of auto_functionalized wraps, or null. */
export function wrappedBy(pattern: TargetExpr): string | null {
  const first = isTargetArgsExpr(pattern) ? pattern.args[0] : null
  const isOp = isKind(first, 'op')
  return isOp && pattern.fns[0]?.startsWith('higher_order.') ? first.name : null
}

/** The operator packet whose overloads a pattern lists, or null: `aten.add` for `[aten.add, aten.add.Tensor, …]`. */
export function packetIn({ fns }: TargetExpr): string | null {
  const [first, ...rest] = fns
  if (first === undefined || isOverload(first) || rest.length === 0) return null
  return rest.every((fn) => fn.startsWith(`${first}.`)) ? first : null
}
