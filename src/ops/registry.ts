/** All facts about operators, collected from the operators' files. */
import { memoizeLast } from '../base/memoize'
import { derivativeFrom } from './derivative'
import { forwardFrom } from './forward/forward_call'
import type { OpDef } from './operator'
import { BATCHING } from './tables/batching'
import { DERIVATIVES } from './tables/derivatives'
import { FORWARD } from './tables/forward'
import { RULES } from './tables/rules'

/** One key of a file's table may hold several names. */
function tableOf<T>(what: string, files: readonly Readonly<Record<string, T>>[]): Map<string, T> {
  const found = new Map<string, T>()
  for (const file of files)
    for (const [names, value] of Object.entries(file))
      for (const name of names.split(' ')) {
        if (found.has(name)) throw new Error(`the ${what} of ${name} is registered twice`)
        found.set(name, value)
      }
  return found
}

/** The tables of files whose formulas are text. */
const readBy =
  <T, U>(read: (stated: T) => U) =>
  (file: Readonly<Record<string, T>>): Record<string, U> =>
    Object.fromEntries(Object.entries(file).map(([names, stated]) => [names, read(stated)]))

/** A look-up by overload, or else by its packet. */
const byName =
  <T>(table: () => ReadonlyMap<string, T>) =>
  (target: string): T | undefined => {
    const own = table().get(target)
    return own === undefined ? table().get(target.slice(0, target.lastIndexOf('.'))) : own
  }

const rules = memoizeLast(() =>
  tableOf(
    'rule',
    RULES.map((file) => file()),
  ),
)

/** The rule of an overload, or else its packet's. */
export const lookupOp = byName(rules)

/** Rules by overload or packet. */
export const ruleEntries = (): [name: string, def: OpDef][] => [...rules()]

/** The derivative of an overload, or else its packet's; undefined if none is registered. */
export const derivativeOf = byName(memoizeLast(() => tableOf('derivative', DERIVATIVES.map(readBy(derivativeFrom)))))

/** The forward derivative of an overload, or else its packet's; undefined if none is registered. */
export const forwardOf = byName(memoizeLast(() => tableOf('forward derivative', FORWARD.map(readBy(forwardFrom)))))

/** The batching rule of `sum.dim_IntList`, or else of `sum`. */
export const batchRuleOf = byName(memoizeLast(() => tableOf('batching rule', BATCHING)))
