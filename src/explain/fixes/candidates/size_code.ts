/** Writes the sizes of a graph's call as code over the shapes of the pattern's inputs, so that they fit other graphs too. */
import { Node, type Arg, type TensorMeta, operatorOf, packetOf } from '../../../fx'
import { valueCode, type ArgumentCode } from '../code'
import type { Expression, Fn, PatternSite } from '../pattern_site'
import { functionAround, paramNames } from '../syntax'

/** A tensor whose shape the code can read. */
export interface ShapeSource {
  /** The code of the tensor: a parameter or a variable. */
  text: string
  shape: TensorMeta['shape']
}

/** Ends the title of a change that contains sizes of the graph as numbers. */
export const ONE_GRAPH = '; its sizes fit only this graph'

/** Sizes from this value on mean "to the end". */
const END = 2n ** 31n - 1n

/** The tensor parameters of the search function or the replacement, with their shapes in the graph. */
export function parameterShapes({ search, pattern, alignment }: PatternSite, fn: Fn | null): ShapeSource[] {
  if (!search || !fn || !pattern || !alignment) return []
  const names = paramNames(fn.node)
  return paramNames(search.node).flatMap((name, i): ShapeSource[] => {
    const bound = alignment.bound.get(name)
    const val = bound instanceof Node ? bound.meta.val : undefined
    const text = names[i]
    return val?.kind === 'tensor' && text !== undefined ? [{ text, shape: val.shape }] : []
  })
}

/** SymInt schema arguments that are sizes; `k` of topk and `groups` of a convolution are not. */
const SIZE_ARGUMENTS = new Set(['size', 'sizes', 'split_size', 'split_sizes', 'start', 'end', 'length', 'self_size'])

/** True for an argument that is a size or a list of sizes. @param key by position or by name */
export function isSize({ pass }: PatternSite, node: Node, key: string | number): boolean {
  const args = pass.toExplain.schemaOf(operatorOf(node))?.args
  const arg = typeof key === 'number' ? args?.[key] : args?.find((a) => a.name === key)
  return arg?.type?.base === 'SymInt' && SIZE_ARGUMENTS.has(arg.name)
}

export class SizeWriter {
  /** Writes the sizes in an expression, read from values in the pattern, and from parameters within the search function. */
  static at(site: PatternSite, e: Expression, own: readonly ShapeSource[]): SizeWriter {
    const isSearch = functionAround(e.node) === site.search?.node
    return new SizeWriter(site, [...own, ...(isSearch ? parameterShapes(site, site.search) : [])])
  }

  /** True once a size was written as a number. */
  literal = false

  constructor(
    private readonly site: PatternSite,
    /** Preferred first. */
    private readonly sources: readonly ShapeSource[],
  ) {}

  /** The code of a call's arguments, with its sizes read from the sources. */
  argumentsOf(node: Node): ArgumentCode {
    return (value, key, nodeText) =>
      (isSize(this.site, node, key) ? this.code(value, node) : null) ?? valueCode(value, nodeText)
  }

  /** The code of one size or a list of sizes; null for a symbol that no source contains. @param position of one size in its list */
  code(value: Arg, node: Node, position: number | null = null): string | null {
    const along = this.dimensionOf(node)
    if (!Array.isArray(value)) return this.one(value, position, along) ?? this.number(value)
    const sizes = value as readonly Arg[]
    const texts = sizes.map((size, i) => this.one(size, i, along))
    const unknown = texts.flatMap((text, i) => (text === null ? [i] : []))
    const inferred = isView(node) && !texts.includes('-1') ? unknown[0] : undefined
    const all = texts.map((text, i) => text ?? (i === inferred ? '-1' : this.number(sizes[i]!)))
    return all.includes(null) ? null : `[${all.join(', ')}]`
  }

  /** The dimension that an operator such as slice or split cuts: its sizes are parts of that dimension. */
  private dimensionOf(node: Node): { d: number; size: unknown } | null {
    const i = this.site.pass.toExplain.schemaOf(operatorOf(node))?.args.findIndex((a) => a.name === 'dim') ?? -1
    const val = node.inputs()[0]?.meta.val
    if (i < 0 || val?.kind !== 'tensor') return null
    const dim = Number(node.args[i] ?? node.kwargs.get('dim') ?? 0)
    const d = dim < 0 ? dim + val.shape.length : dim
    return { d, size: val.shape[d] }
  }

  /**
   * Null if no source contains the size.
   * @param i position in a list of sizes
   * @param along the dimension that the size is a part of
   */
  private one(size: Arg, i: number | null, along: { d: number; size: unknown } | null): string | null {
    if (size === null) return 'None'
    if (typeof size === 'bigint' && (size <= 1n || size >= END)) return size.toString()
    const wanted = sizeOf(size)
    if (wanted === null) return null
    if (along) return this.part(wanted, along)
    for (const { text, shape } of this.sources) {
      const at = i !== null && shape[i] === wanted ? i : shape.indexOf(wanted)
      if (at >= 0) return `${text}.shape[${at}]`
    }
    return typeof wanted === 'number' ? this.computed(wanted) : null
  }

  /** All or half of a dimension. */
  private part(wanted: number | string, { d, size }: { d: number; size: unknown }): string | null {
    const source = this.sources.find(({ shape }) => shape[d] === size)
    if (!source) return null
    if (size === wanted) return `${source.text}.shape[${d}]`
    return typeof wanted === 'number' && size === 2 * wanted ? `${source.text}.shape[${d}] // 2` : null
  }

  /** A product of two neighboring dimensions, or half a dimension. */
  private computed(wanted: number): string | null {
    for (const { text, shape } of this.sources)
      for (const [d, size] of shape.entries()) {
        const next = shape[d + 1]
        if (typeof size !== 'number') continue
        if (typeof next === 'number' && next > 1 && size > 1 && size * next === wanted)
          return `${text}.shape[${d}] * ${text}.shape[${d + 1}]`
        if (size === 2 * wanted) return `${text}.shape[${d}] // 2`
      }
    return null
  }

  private number(size: Arg): string | null {
    if (typeof size !== 'bigint') return null
    this.literal = true
    return size.toString()
  }
}

const isView = (node: Node): boolean => /^aten\.(view|reshape|_unsafe_view)$/.test(packetOf(node.target))

/** A number, or the expression of a symbolic size. */
function sizeOf(size: Arg): number | string | null {
  if (typeof size === 'bigint') return Number(size)
  const value = size instanceof Node && size.meta.val?.kind === 'scalar' ? size.meta.val.value : null
  return typeof value === 'object' && value !== null ? value.expr : null
}
