/** Finds an operator of the graph that the user may have meant by an absent one. */
import { closestName } from '../../base/closest'
import { isNative } from './native'

/** Its in-place or out-of-place variant; for a custom operator, one with a similar name. */
export function closeOperator(target: string, targets: Iterable<string>): string | null {
  const [namespace, name] = target.split('.')
  if (namespace === undefined || name === undefined) return null
  const all = [...targets]
  const sibling = name.endsWith('_') ? name.slice(0, -1) : `${name}_`
  const variant = all.find((t) => t.startsWith(`${namespace}.${sibling}.`))
  if (variant !== undefined) return variant
  if (isNative(target)) return null
  const named = new Map(all.map((t) => [t.split('.')[1] ?? t, t]))
  return named.get(name) ?? named.get(closestName(name, named.keys()) ?? '') ?? null
}
