/** Which node yields a symbolic size in the trace under way. Nodes are made when a size is first used, never before. */
import type { Arg, Node } from '../fx'
import { floorDiv, mulDims, sameDim } from '../ops/sym'

type Make = (target: string, args: readonly Arg[]) => Node

export class SymbolTable {
  private readonly found = new Map<string, Node | (() => Node)>()

  constructor(private readonly make: Make) {}

  /** Says how `expr` can be had; the first to say so wins. */
  offer(expr: string, node: () => Node): void {
    if (!this.found.has(expr)) this.found.set(expr, node)
  }

  /**
   * The same for the result of arithmetic or of a question (`x.numel()`): PyTorch keeps nodes by the size's identity,
   * and only a plain symbol is known by its name; of an expression, what was computed last is what is used next.
   */
  computed(expr: string, node: Node): void {
    if (/^\w+$/.test(expr)) this.offer(expr, () => node)
    else this.found.set(expr, node)
  }

  /** The node, or the number, of a symbolic expression: made of its parts when nobody offered it whole. */
  node(expr: string): Arg {
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

  /** _build_proxy_for_sym_expr: a product or sum of what is known. */
  private build(expr: string): Node {
    const terms = split(expr, ' + ')
    if (terms.length > 1) return this.make('torch.sym_sum', [terms.map((t) => this.node(t))])
    const factors = split(expr, '*')
    if (factors.length > 1) {
      const [first, ...rest] = factors as [string, ...string[]]
      return this.make('operator.mul', [this.node(first), this.node(rest.join('*'))])
    }
    const quotient = /^\((.+)\/\/(.+)\)$/.exec(expr)
    if (quotient)
      return this.make('operator.floordiv', [this.node(strip(quotient[1]!)), this.node(strip(quotient[2]!))])
    // A multiple of something known (2*s72 of s72*4 // 2).
    for (const known of this.found.keys()) {
      const ratio = floorDiv(expr, known)
      if (typeof ratio === 'number' && sameDim(mulDims(known, ratio), expr))
        return this.make('operator.mul', [this.node(known), BigInt(ratio)])
    }
    throw new Error(`no node yields the size ${expr}`)
  }
}

const strip = (text: string): string => (/^\([^()]*\)$/.test(text) ? text.slice(1, -1) : text)

/** Splits at a separator outside brackets; `**` is not a `*`. */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++
    else if (text[i] === ')') depth--
    else if (depth === 0 && text.startsWith(separator, i)) {
      if (separator === '*' && text[i + 1] === '*') {
        i++
        continue
      }
      parts.push(text.slice(start, i))
      start = i + separator.length
    }
  }
  parts.push(text.slice(start))
  return parts
}
