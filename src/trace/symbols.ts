/** Maps the symbolic sizes of a trace to nodes, which are created when a size is first used. */
import type { Arg, Node } from '../fx'
import { floorDiv, mulDims, sameDim } from '../ops/sym'

type Make = (target: string, args: readonly Arg[]) => Node

export class SymbolTable {
  private readonly found = new Map<string, Node | (() => Node)>()

  constructor(private readonly make: Make) {}

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

  /** The node or number of a symbolic expression, built from its parts if the whole is not registered. */
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

  /** _build_proxy_for_sym_expr: a product or sum of registered expressions. */
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
    // A multiple of a registered expression (2*s72 of s72*4 // 2).
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
