/** Traces a registration's example inputs from the call back to the literals in the user's code. */
import type { Dim, TensorMeta } from '../../../fx'
import type { Expression, PatternSite } from '../pattern_site'
import { functionAround, listField, nodeField, paramNames, returnedBy, textField, type SyntaxNode } from '../syntax'

/**
 * The value passed to register_replacement for a parameter, followed through names, helpers and callers to its literal,
 * or to a repeated list.
 */
export function registered(site: PatternSite, name: string, position: number): Expression | null {
  const calls = site.registrationCalls()
  const argument = (depth: number, key: string, i: number): Expression | null => {
    const call = calls[depth]
    if (call?.node.type !== 'Call') return null
    const keywords = listField(call.node, 'keywords')
    const byName = keywords.find((k) => textField(k, 'arg') === key)
    // A helper forwards its **kwargs: the caller passed the value.
    if (!byName && keywords.some((k) => textField(k, 'arg') === null) && !listField(call.node, 'args')[i])
      return argument(depth + 1, key, -1)
    const node = byName ? nodeField(byName, 'value') : listField(call.node, 'args')[i]
    return node ? follow({ file: call.file, node }, depth, 0) : null
  }
  const follow = (e: Expression, depth: number, steps: number): Expression | null => {
    if (steps > 8) return null
    const { node, file } = e
    if (['List', 'Tuple', 'Dict', 'Set'].includes(node.type)) return e
    // `[t] * 2`
    if (node.type === 'BinOp' && nodeField(node, 'left')?.type === 'List') return e
    if (node.type === 'Name') {
      const id = textField(node, 'id')!
      const fn = functionAround(node)
      if (fn && paramNames(fn).includes(id)) {
        const params = paramNames(fn)
        return argument(depth + 1, id, params.indexOf(id) - (params[0] === 'self' ? 1 : 0))
      }
      const assigned = file.nodes.filter(
        (n) =>
          n.type === 'Assign' &&
          listField(n, 'targets').some((t) => textField(t, 'id') === id) &&
          (functionAround(n) === fn || functionAround(n) === null),
      )
      const best = assigned.filter((n) => functionAround(n) === fn).at(-1) ?? assigned.at(-1)
      const value = best && nodeField(best, 'value')
      return value ? follow({ file, node: value }, depth, steps + 1) : null
    }
    if (node.type === 'Call') {
      const func = nodeField(node, 'func')
      const called = func && (textField(func, 'id') ?? textField(func, 'attr'))
      const def = file.nodes.find((n) => n.type === 'FunctionDef' && textField(n, 'name') === called)
      const returned = def && returnedBy(def)
      return returned ? follow({ file, node: returned.whole }, depth, steps + 1) : null
    }
    return null
  }
  return argument(0, name, position)
}

/** The example inputs, one expression per tensor argument; null if they are not written out. */
export function exampleInputs(site: PatternSite): { at: Expression; items: SyntaxNode[] } | null {
  const at = registered(site, 'example_inputs', 2)
  if (!at) return null
  const items = listField(at.node, 'elts')
  return items.length === tensorNames(site).length && !items.some((n) => n.type === 'Starred') ? { at, items } : null
}

/** The arguments that correspond to the example inputs. */
export function tensorNames(site: PatternSite): readonly string[] {
  const { registration } = site.entry
  if (!('argNames' in registration)) return []
  return registration.argNames.filter((n) => !registration.scalarWorkaround?.has(n))
}

/** `torch.empty(4, 8, dtype=torch.bfloat16)`. @param keywords after the sizes */
export const emptyCode = (sizes: readonly Dim[], keywords: readonly string[]): string =>
  `torch.empty(${[...(sizes.length === 0 ? ['()'] : sizes), ...keywords].join(', ')})`

/** The dtype keyword, unless it is the default. */
export const dtypeKeyword = (dtype: string): string[] => (dtype === 'float32' ? [] : [`dtype=torch.${dtype}`])

/** The device keyword, unless it is the default. */
export const deviceKeyword = ({ device }: TensorMeta): string[] =>
  !device || device.type === 'cpu' ? [] : [`device='${device.type}'`]
