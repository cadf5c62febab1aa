/** What a node calls. */
import { isKind } from '../value'
import type { Node } from './node'

/** True for a call of a function, a method or a module. */
export const isCall = ({ op }: { readonly op: string }): boolean => op.startsWith('call_')

/** True for a call of a function or a method: PyTorch runs it without the module's code. */
export const isFunctionOrMethod = (node: { readonly op: string }): boolean => isCall(node) && node.op !== 'call_module'

export const isGetitem = ({ target }: { readonly target: string }): boolean => target.endsWith('operator.getitem')

export const isFunctionalized = (node: Node): boolean => node.target.startsWith('higher_order.auto_functionalized')

/** The operator that an auto_functionalized node wraps (its first argument), or null. */
export function wrappedOperator(node: Node): string | null {
  const first = node.args[0]
  return isFunctionalized(node) && isKind(first, 'op') ? first.name : null
}

/** The operator a node runs: the wrapped one for auto_functionalized. */
export const operatorOf = (node: Node): string => wrappedOperator(node) ?? node.target

/** True for a call that reads a size. */
export const isSymSize = (node: Node): boolean => /^aten\.sym_(size|stride|numel|storage_offset)\b/.test(node.target)
