/** Sizes: numbers, or expressions over symbols in sympy's notation (`s72*4096`, `Max(1, u0)`, `s0//2`). */
import type { Dim } from '../../fx'

/** Assigns the same value to all symbols, and records them for the report. */
export class Symbols {
  readonly seen = new Set<string>()

  constructor(readonly value: number) {}

  /** Null if the expression is not supported. */
  resolve(dim: Dim): number | null {
    if (typeof dim === 'number') return dim
    const tokens = dim.match(/\d+|[A-Za-z_]\w*|\*\*|\/\/|[-+*/(),]/g) ?? []
    if (tokens.join('') !== dim.replace(/\s+/g, '')) return null
    let at = 0
    const take = (t: string): boolean => tokens[at] === t && ++at > 0
    const atom = (): number => {
      const t = tokens[at++]
      if (t === undefined) return NaN
      if (t === '(') {
        const v = sum()
        return take(')') ? v : NaN
      }
      if (t === '-') return -atom()
      if (/^\d/.test(t)) return Number(t)
      if (!/^[A-Za-z_]/.test(t)) return NaN
      if (!take('(')) {
        this.seen.add(t)
        return this.value
      }
      const args = [sum()]
      while (take(',')) args.push(sum())
      if (!take(')')) return NaN
      if (t === 'Max') return Math.max(...args)
      if (t === 'Min') return Math.min(...args)
      if (t === 'FloorDiv') return Math.floor(args[0]! / args[1]!)
      if (t === 'Mod') return args[0]! % args[1]!
      return NaN
    }
    const power = (): number => {
      const base = atom()
      return take('**') ? base ** power() : base
    }
    const product = (): number => {
      let v = power()
      for (;;) {
        if (take('*')) v *= power()
        else if (take('//')) v = Math.floor(v / power())
        else if (take('/')) v /= power()
        else return v
      }
    }
    const sum = (): number => {
      let v = product()
      for (;;) {
        if (take('+')) v += product()
        else if (take('-')) v -= product()
        else return v
      }
    }
    const v = sum()
    return at === tokens.length && Number.isInteger(v) ? v : null
  }
}
