/** Symbolic sizes as Python over the pattern's inputs, and as example numbers. */
import type { Dim } from '../../fx'
import { isSize } from '../../fx/code/sizes'
import { evaluate, parseSym } from '../../fx/sym'
import type { SelectionInput } from './types'

const SYMBOL = /\b[a-z]+\d+\b/g

/** Example values of symbols: distinct even sizes, so that no two are equal by accident, and none equals a known size. */
export class ExampleSizes {
  private readonly values = new Map<string, number>()
  private next = 64

  /** @param known sizes that are not symbols */
  constructor(private readonly known: ReadonlySet<number> = new Set()) {}

  /** @returns null for an expression beyond integer arithmetic */
  of(dim: Dim): number | null {
    if (typeof dim === 'number') return dim
    const e = isSize(dim) ? parseSym(dim) : null
    const value = e && evaluate(e, (name) => this.symbol(name))
    return Number.isInteger(value) ? value : null
  }

  private symbol(name: string): number {
    let value = this.values.get(name)
    if (value === undefined) {
      while (this.known.has(this.next)) this.next += 22
      this.values.set(name, (value = this.next))
      this.next += 22
    }
    return value
  }
}

/** Python that reads a symbolic size from the inputs' shapes; null if the shapes do not contain it. */
export function sizeCode(expr: string, inputs: readonly SelectionInput[]): string | null {
  if (!isSize(expr)) return null
  const direct = dimensionWith(expr, inputs)
  if (direct !== null) return direct
  let known = true
  const code = expr.replace(SYMBOL, (symbol) => {
    const found = dimensionWith(symbol, inputs)
    known &&= found !== null
    return found ?? symbol
  })
  return known && /^[\w .()[\]*+\-/%,]*$/.test(code) && !/\b(?:Max|Min|Mod|PythonMod|FloorDiv|CleanDiv)\b/.test(code)
    ? code
    : null
}

function dimensionWith(expr: string, inputs: readonly SelectionInput[]): string | null {
  for (const { node, name } of inputs) {
    const { val } = node.meta
    const at = val?.kind === 'tensor' ? val.shape.indexOf(expr) : -1
    if (at >= 0) return `${name}.shape[${at}]`
  }
  return null
}
