/** The target of a call as Python: an operator below torch.ops, or a function of the table. */
import { targetToText } from '../target'
import { code, identifier, literal, type Code } from './code'
import { isKnownFunction } from './functions'

/** Attributes of torch.ops that are not namespaces. */
const NOT_NAMESPACES = new Set(['load_library', 'loaded_libraries', 'import_module'])
/** Attributes of a torch.ops namespace that are not operators. */
const NOT_OPERATORS = new Set(['name', '_dir'])
/** Attributes of an OpOverloadPacket that are not overloads. */
const NOT_OVERLOADS = new Set(['op', 'overloads', 'schemas'])
/** `aten.__and__`: operators with the names of Python's own. */
const DUNDER = /^__i?(?:and|or|xor|lshift|rshift)__$/

/**
 * `torch.ops.aten.add.Tensor`, `operator.getitem`, `torch.relu`. Null for any other name: the written file does not import or call
 * such a function.
 */
export function targetCode(target: string): Code | null {
  const text = targetToText(target).replace(/^_operator\./, 'operator.')
  if (text.startsWith('torch.ops.')) return operatorCode(text.slice('torch.ops.'.length))
  return isKnownFunction(text) ? (text as Code) : null
}

/** Code for `aten.add.Tensor`, `aten.add` or `higher_order.cond`. */
function operatorCode(name: string): Code | null {
  const [namespace, op, overload, ...rest] = name.split('.')
  if (namespace === undefined || op === undefined || rest.length > 0) return null
  const space = identifier(namespace)
  if (!space || NOT_NAMESPACES.has(namespace) || NOT_OPERATORS.has(op)) return null
  const packet = attribute(code`torch.ops.${space}`, op, DUNDER.test(op))
  if (overload === undefined || packet === null) return packet
  return overload.startsWith('_') || NOT_OVERLOADS.has(overload) ? null : attribute(packet, overload, false)
}

/** `of.name`; with getattr() for a keyword, as in `aten.random.from`. */
function attribute(of: Code, name: string, isDunder: boolean): Code | null {
  const plain = identifier(name)
  if (plain) return code`${of}.${plain}`
  return isDunder || /^[a-z]+$/.test(name) ? code`getattr(${of}, ${literal(name)})` : null
}
