/** Known values of symbolic sizes: hints from the environment, and facts from the graph's calls. */
import type { SizeHints } from '../base/size_hints'
import { Node, type Arg, type Dim, type Graph } from '../fx'
import { evaluate, symbolsOf } from '../fx/sym'
import { type Bound, rebound } from './bind'
import { type DispatchArg, isSym, itemsOf } from './fake'
import { mulDims, sameDim, subDims, symOf } from './sym'

export class KnownSizes {
  hints: SizeHints = new Map()
  /** Numbers of pieces, by size and piece size. */
  private readonly counts = new Map<string, number>()

  /** Reads the splits of a graph: the last piece has the rest of the size. */
  begins(graph: Graph): void {
    this.counts.clear()
    for (const node of graph.nodes()) if (node.target === 'operator.getitem') this.readPiece(node)
  }

  /** The value of a size by the hints; null if one is missing. */
  valueOf(size: Dim): number | null {
    const e = symOf(size)
    for (const name of symbolsOf(e)) if (!this.hints.has(name)) return null
    return evaluate(e, (name) => this.hints.get(name)!)
  }

  /** The number of pieces into which split divides a size, with pieces of size `each`; null if unknown. */
  pieces(size: Dim, each: number): number | null {
    const value = this.valueOf(size)
    return value === null ? (this.counts.get(`${size}/${each}`) ?? null) : Math.max(1, Math.ceil(value / each))
  }

  /** The call with hints in place of symbolic sizes for `int` and `int[]` parameters: only a SymInt parameter keeps the symbol. */
  specialized(bound: Bound): Bound {
    if (this.hints.size === 0) return bound
    const numbers = new Map<string, DispatchArg>()
    for (const { name, type } of bound.schema.args) {
      const given = bound.values.get(name)
      if (type.base !== 'int' || given === undefined) continue
      const items = itemsOf(given)
      const known = items ? items.map((item) => this.numberOf(item)) : this.numberOf(given)
      if (known !== given && !(items && (known as DispatchArg[]).every((item, i) => item === items[i])))
        numbers.set(name, known)
    }
    return numbers.size > 0 ? rebound(bound.schema, new Map([...bound.values, ...numbers])) : bound
  }

  private numberOf(given: DispatchArg): DispatchArg {
    const value = isSym(given) ? this.valueOf(given.expr) : null
    return value === null ? given : BigInt(value)
  }

  private readPiece({ args: [split, index], meta: { val } }: Node): void {
    if (!(split instanceof Node) || typeof index !== 'bigint' || val?.kind !== 'tensor') return
    if (!/^(?:.*\.)?split(?:\.Tensor)?$/.test(split.target)) return
    const [x, each, dim = split.kwargs.get('dim') ?? 0n] = split.args as readonly (Arg | undefined)[]
    const of = x instanceof Node ? x.meta.val : null
    if (of?.kind !== 'tensor' || typeof each !== 'bigint' || typeof dim !== 'bigint') return
    const [size, piece] = [of.shape.at(Number(dim)), val.shape.at(Number(dim))]
    if (typeof size !== 'string' || typeof piece !== 'string') return
    if (sameDim(piece, subDims(size, mulDims(Number(each), Number(index)))))
      this.counts.set(`${size}/${each}`, Number(index) + 1)
  }
}
