/** Inlines local names so that an expression of one function is valid in another. */
import type { Fn } from '../pattern_site'
import { listField, nodeField, paramNames, textField, within, type SyntaxNode, namesIn } from '../syntax'

/**
 * Rewrites an expression of one function for another function with the same parameters by inlining assigned names. Null
 * if it depends on anything but plain assignments.
 */
export function inlined(node: SyntaxNode, from: Fn, to: Fn, depth = 0): string | null {
  if (depth > 40) return null
  const params = paramNames(from.node)
  const theirs = paramNames(to.node)
  const changes: { at: SyntaxNode; text: string }[] = []
  for (const n of within(node)) {
    if (n.type === 'NamedExpr') return null
    if (n.type !== 'Name' || textField(n, 'ctx') !== 'Load') continue
    const name = textField(n, 'id')!
    const i = params.indexOf(name)
    if (i >= 0) {
      const other = theirs[i]
      if (other === undefined || namesIn(from.node, name, 'Store').length > 0) return null
      if (other !== name) changes.push({ at: n, text: other })
      continue
    }
    const stores = namesIn(from.node, name, 'Store')
    if (stores.length === 0) continue
    if (stores.length > 1) return null
    const value = assignedTo(stores[0]!)
    const text = value && inlined(value.value, from, to, depth + 1)
    if (text === null || text === undefined) return null
    const whole = value!.item === null ? text : `(${text})[${value!.item}]`
    changes.push({ at: n, text: n === node || value!.value.type === 'Call' ? whole : `(${whole})` })
  }
  let text = ''
  let at = node.from
  for (const c of changes.sort((a, b) => a.at.from - b.at.from)) {
    text += from.file.text.slice(at, c.at.from) + c.text
    at = c.at.to
  }
  text += from.file.text.slice(at, node.to)
  return text.length > 1500 ? null : text
}

function assignedTo(store: SyntaxNode): { value: SyntaxNode; item: number | null } | null {
  const parent = store.parent
  if (parent?.type === 'Assign') {
    const value = nodeField(parent, 'value')
    return value && { value, item: null }
  }
  if ((parent?.type === 'Tuple' || parent?.type === 'List') && parent.parent?.type === 'Assign') {
    const value = nodeField(parent.parent, 'value')
    return value && { value, item: listField(parent, 'elts').indexOf(store) }
  }
  return null
}

export const storedTwice = (fn: Fn, name: string): boolean => namesIn(fn.node, name, 'Store').length > 1

/** Returns a name that the function does not use. */
export function freshName(fn: Fn, base: string): string {
  const used = new Set([...within(fn.node)].flatMap((n) => textField(n, 'id') ?? textField(n, 'arg') ?? []))
  let name = base
  for (let i = 2; used.has(name); i++) name = `${base}_${i}`
  return name
}
