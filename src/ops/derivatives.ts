/** The derivative of each operator, collected from the operators' files. */
import type { Derivative } from './derivative'
import { DERIVATIVES } from './tables/derivatives'

let table: ReadonlyMap<string, Derivative> | null = null

function read(): ReadonlyMap<string, Derivative> {
  const found = new Map<string, Derivative>()
  for (const group of DERIVATIVES)
    for (const [names, derivative] of Object.entries(group))
      for (const name of names.split(' ')) {
        if (found.has(name)) throw new Error(`the derivative of ${name} is registered twice`)
        found.set(name, derivative)
      }
  return found
}

/** The derivative of an overload, or else its packet's; undefined if none is registered. */
export function derivativeOf(target: string): Derivative | undefined {
  table ??= read()
  const own = table.get(target)
  return own === undefined ? table.get(target.slice(0, target.lastIndexOf('.'))) : own
}
