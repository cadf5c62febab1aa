/** Finds an operator of the graph that the user may have meant by an absent one. */
import { closestName } from '../../base/closest'
import { isOverload } from '../../fx'
import { isNative } from './native'
import { bareName } from './operators'

/** True for a function of torch or of Python's operators, and a method (`.relu`). */
const isFunction = (target: string): boolean =>
  /^(?:\.|torch\.|_?operator\.)/.test(target) && !target.startsWith('torch.ops.')

/** Its in-place or out-of-place variant; for a function, another form of the call; for a custom operator, one with a similar name. */
export function closeOperator(target: string, targets: Iterable<string>): string | null {
  const [namespace, name] = target.split('.')
  if (namespace === undefined || name === undefined) return null
  const all = [...targets]
  if (isFunction(target))
    return all.find((t) => t !== target && !isOverload(t) && bareName(t) === bareName(target)) ?? null
  const sibling = name.endsWith('_') ? name.slice(0, -1) : `${name}_`
  const variant = all.find((t) => t.startsWith(`${namespace}.${sibling}.`))
  if (variant !== undefined) return variant
  if (isNative(target)) return null
  const named = new Map(all.map((t) => [t.split('.')[1] ?? t, t]))
  return named.get(name) ?? named.get(closestName(name, named.keys()) ?? '') ?? null
}
