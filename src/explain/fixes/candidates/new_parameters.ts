/** Adds parameters for graph values that the search function lacks: a mask, a bias, a scale. */
import { Node, type Dim, type TensorMeta } from '../../../fx'
import { coneOf } from '../../align/pattern_graph'
import type { Change } from '../change'
import type { Expression, PatternSite } from '../pattern_site'
import { functionAround, paramNames, paramsOf } from '../syntax'
import { dtypeKeyword, emptyCode, exampleInputs, tensorNames } from './example_inputs'
import { freshName } from './inlined'
import { inserted } from './types'

/** Maximum number of nodes to search for a dependency on the match. */
const MAX_CONE = 400

export class NewParameters {
  private readonly names = new Map<Node, string>()

  constructor(
    protected readonly site: PatternSite,
    /** The place of the code. */
    protected readonly at: Expression,
  ) {}

  get used(): readonly string[] {
    return [...this.names.values()]
  }

  /** A parameter for a tensor that is computed outside the match; null for any other value. */
  nameOf(g: Node): string | null {
    const known = this.names.get(g)
    if (known !== undefined) return known
    const { search, replace, alignment } = this.site
    if (!search || !replace || !alignment || g.meta.val?.kind !== 'tensor') return null
    if (functionAround(this.at.node) !== search.node || exampleInputs(this.site) === null) return null
    const inside = new Set<unknown>([...alignment.pairs.values(), ...alignment.bound.values()])
    if (coneOf(g, MAX_CONE).some((n) => inside.has(n))) return null
    const base = /^[a-z]\w*?(?=_\d+$)|^[a-z]\w*$/i.exec(g.op === 'placeholder' ? g.target : g.name)?.[0] ?? 'value'
    const taken = new Set([...this.names.values(), ...paramNames(replace.node)])
    let name = freshName(search, base)
    for (let i = 2; taken.has(name); i++) name = freshName(search, `${base}_${i}`)
    this.names.set(g, name)
    return name
  }

  /** The parameters of both functions and their example inputs. */
  changes(): Change[] {
    const { search, replace } = this.site
    const examples = exampleInputs(this.site)
    const last = examples?.items.at(-1)
    if (this.names.size === 0 || !search || !replace || !examples || !last) return []
    const fns = replace.node === search.node ? [search] : [search, replace]
    const text = this.used.map((n) => `, ${n}`).join('')
    const inputs = [...this.names.keys()].map((g) => `, ${this.exampleOf(g.meta.val as TensorMeta)}`).join('')
    return [
      ...fns.flatMap((fn): Change[] => {
        const param = paramsOf(fn.node).at(-1)
        return param ? [inserted(fn.file, param.to, text)] : []
      }),
      inserted(examples.at.file, last.to, inputs),
    ]
  }

  /** An example input whose sizes fit those of the others. */
  private exampleOf({ shape, dtype }: TensorMeta): string {
    const sizes = shape.map((d, i) => this.exampleSize(d, shape.length - i))
    return emptyCode(sizes, dtypeKeyword(dtype))
  }

  /**
   * The example's size for a size of the graph.
   * @param fromEnd dimension, counted from the end, because broadcasting aligns the last dimensions
   */
  private exampleSize(size: Dim, fromEnd: number): Dim {
    const { entry, alignment } = this.site
    const { registration } = entry
    if (size === 1 || !('exampleInputs' in registration)) return size
    let found: number | null = null
    registration.argNames.forEach((name, i) => {
      const bound = alignment?.bound.get(name)
      const val = bound instanceof Node ? bound.meta.val : undefined
      const example = registration.exampleInputs[i]
      if (val?.kind !== 'tensor' || example?.kind !== 'tensor' || val.shape.length !== example.shape.length) return
      const at = val.shape.length - fromEnd
      const d = val.shape[at] === size ? at : val.shape.indexOf(size)
      const own = d >= 0 ? example.shape[d] : undefined
      if (typeof own === 'number' && (found === null || d === at)) found = own
    })
    return found ?? (typeof size === 'number' ? size : 8)
  }
}

/** Like NewParameters, but prefers a parameter of the search function that is not bound to anything in the graph. */
export class FreeParameters extends NewParameters {
  private readonly own = new Map<Node, string>()

  override nameOf(g: Node): string | null {
    const known = this.own.get(g) ?? this.unboundFor(g)
    if (known === undefined) return super.nameOf(g)
    this.own.set(g, known)
    return known
  }

  /** The only unbound parameter whose example has as many dimensions. */
  private unboundFor(g: Node): string | undefined {
    const { search, alignment, entry } = this.site
    const { registration } = entry
    const val = g.meta.val
    if (!search || !alignment || !('argNames' in registration) || val?.kind !== 'tensor') return undefined
    if (functionAround(this.at.node) !== search.node) return undefined
    const fitting = tensorNames(this.site).filter((name, i) => {
      const example = registration.exampleInputs[i]
      return !alignment.bound.has(name) && example?.kind === 'tensor' && example.shape.length === val.shape.length
    })
    const names = paramNames(search.node)
    const taken = new Set(this.own.values())
    const [only, ...more] = fitting.filter((n) => !taken.has(n) && names.includes(n))
    return more.length === 0 ? only : undefined
  }
}

/** Ends the title of a change that adds parameters. */
export const parameterNote = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` with the new ${names.length === 1 ? 'argument' : 'arguments'} ${names.join(', ')}`
