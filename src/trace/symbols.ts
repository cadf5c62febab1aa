/**
 * Maps the symbolic sizes of a trace to nodes, which are created when a size is first used. PyTorch finds the node of a size by the
 * SymInt object (`FakeTensor.sizes`): equal sizes of two inputs are two nodes, and a result has the objects of what it was made of.
 */
import type { Arg, Dim, Node, SymExpr } from '../fx'
import { evaluate, isCall, mul, symbolsOf, type Sym } from '../fx/sym'
import { isFake, isSym, itemsOf, type DispatchArg, type FakeTensor } from '../ops/fake'
import { dimOf, floorDiv, mulDims, sameDim, symOf } from '../ops/sym'

type Make = (target: string, args: readonly Arg[]) => Node

export class SymbolTable {
  private readonly found = new Map<string, Node | (() => Node)>()

  /** @param fixed the symbols that a guard has fixed: what they decide is a number, as ShapeEnv.replace gives it */
  constructor(
    private readonly make: Make,
    private readonly fixed: ReadonlyMap<string, number> = new Map(),
  ) {}

  /** Registers a source for `expr`; the first one wins. */
  offer(expr: string, node: () => Node): void {
    if (!this.found.has(expr)) this.found.set(expr, node)
  }

  /**
   * Registers the result of arithmetic or of a query (`x.numel()`). PyTorch identifies nodes by the size object, and
   * only plain symbols by name; for an expression, the most recent result is used next.
   */
  computed(expr: string, node: Node): void {
    if (/^\w+$/.test(expr)) this.offer(expr, () => node)
    else this.found.set(expr, node)
  }

  /** The number of an expression whose symbols are all fixed. */
  private constant(expr: string): bigint | undefined {
    if (this.fixed.size === 0) return undefined
    const e = symOf(expr)
    if (![...symbolsOf(e)].every((name) => this.fixed.has(name))) return undefined
    const value = evaluate(e, (name) => this.fixed.get(name)!)
    return value === null || !Number.isInteger(value) ? undefined : BigInt(value)
  }

  /**
   * The node or number of a symbolic expression, built from its parts if the whole is not registered.
   * @param result of the call that gave it
   */
  node(expr: string, result?: () => Node | undefined): Arg {
    const given = this.constant(expr) ?? result?.()
    if (given !== undefined) return given
    const known = this.found.get(expr)
    if (known) {
      if (typeof known !== 'function') return known
      const node = known()
      this.found.set(expr, node)
      return node
    }
    if (/^-?\d+$/.test(expr)) return BigInt(expr)
    const built = this.build(expr)
    built.meta.val ??= { kind: 'scalar', value: { kind: 'sym', expr } }
    this.found.set(expr, built)
    return built
  }

  /** _build_proxy_for_sym_expr: a product, sum or quotient of registered expressions. */
  private build(expr: string): Node {
    const e = symOf(expr)
    if (isCall(e, 'Add')) return this.make('torch.sym_sum', [e.args.map((term) => this.nodeOf(term))])
    if (isCall(e, 'Mul')) {
      const [first, ...rest] = e.args as [Sym, ...Sym[]]
      return this.make('operator.mul', [this.nodeOf(first), this.nodeOf(mul(...rest))])
    }
    if (isCall(e, 'FloorDiv'))
      return this.make(
        'operator.floordiv',
        e.args.map((a) => this.nodeOf(a)),
      )
    // A multiple of a registered expression (2*s72 of s72*4 // 2).
    for (const known of this.found.keys()) {
      const ratio = floorDiv(expr, known)
      if (typeof ratio === 'number' && sameDim(mulDims(known, ratio), expr))
        return this.make('operator.mul', [this.node(known), BigInt(ratio)])
    }
    throw new Error(`no node yields the size ${expr}`)
  }

  private nodeOf(e: Sym): Arg {
    return this.node(String(dimOf(e)))
  }
}

const tensorsIn = (a: DispatchArg): FakeTensor[] => (isFake(a) ? [a] : (itemsOf(a) ?? []).flatMap(tensorsIn))

/** The tensors of a call with numbered sizes. */
export const sizedIn = (args: Iterable<DispatchArg>): FakeTensor[] =>
  [...args].flatMap(tensorsIn).filter((t) => t.sizes)

/** The number of the size with this expression. @param fromEnd its position, which is tried first */
export function sizeAmong(tensors: readonly FakeTensor[], expr: string, fromEnd?: number): number | undefined {
  const at = (t: FakeTensor, i: number): number | undefined => (t.meta.shape[i] === expr ? t.sizes?.[i] : undefined)
  for (const t of fromEnd === undefined ? [] : tensors) {
    const aligned = at(t, t.meta.shape.length + fromEnd!)
    if (aligned !== undefined) return aligned
  }
  for (const t of tensors)
    for (const i of t.meta.shape.keys()) {
      const found = at(t, i)
      if (found !== undefined) return found
    }
  return undefined
}

/** A size passed to a call: its number (undefined if the symbol itself has the node), and its position in a list. */
export interface GivenSize {
  expr: string
  result: number | undefined
  fromEnd?: number
}

export function givenSizes(
  given: readonly DispatchArg[],
  numberOf: (a: SymExpr, fromEnd?: number) => number | undefined,
): GivenSize[] {
  const made = (a: SymExpr, fromEnd?: number): GivenSize => ({ expr: a.expr, result: numberOf(a, fromEnd), fromEnd })
  return given.flatMap((a) =>
    isSym(a) ? made(a) : (itemsOf(a) ?? []).flatMap((v, i, { length }) => (isSym(v) ? made(v, i - length) : [])),
  )
}

/** The sizes of a result are those passed to the call, or those of its tensors: the same position from the end is tried first. */
export function inheritSizes(out: DispatchArg, passed: readonly GivenSize[], sized: readonly FakeTensor[]): void {
  if (sized.length === 0 && passed.length === 0) return
  for (const t of tensorsIn(out)) {
    const { shape } = t.meta
    const sizeOf = (d: Dim, i: number): number | undefined => {
      if (typeof d !== 'string') return undefined
      const same = passed.filter((p) => p.expr === d)
      const given = same.find((p) => p.fromEnd === i - shape.length) ?? same[0]
      return given?.result ?? sizeAmong(sized, d, i - shape.length)
    }
    t.sizes ??= shape.map(sizeOf)
  }
}
