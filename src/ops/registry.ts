/** The rule of each operator, collected from the operators' files. */
import { RULES } from './tables/rules'
import type { OpDef } from './operator'

export type { OpDef, Rule } from './operator'

let table: ReadonlyMap<string, OpDef> | null = null

function readRules(): ReadonlyMap<string, OpDef> {
  const found = new Map<string, OpDef>()
  for (const rules of RULES)
    for (const [names, def] of Object.entries(rules()))
      for (const name of names.split(' ')) {
        if (found.has(name)) throw new Error(`${name} is registered twice`)
        found.set(name, def)
      }
  return found
}

/** The rule of an overload, or else its packet's. */
export function lookupOp(target: string): OpDef | undefined {
  table ??= readRules()
  return table.get(target) ?? table.get(target.slice(0, target.lastIndexOf('.')))
}
