/**
 * Tells which calls an exported script computes because a graph names them: those that only compute (computes.ts) and have a rule
 * in this folder. PyTorch's other kernels and fakes check their arguments so little that a graph alone could crash a process; such
 * a node gets the value from the graph's text.
 */
import { isHigherOrder, isKind, isOverload, type Node } from '../../fx'
import { isKnownFunction } from '../../fx/code/functions'
import { lookupOp } from '../registry'
import { catalogOverloads, catalogSchema } from '../schema/catalog'
import type { OpSchema, SchemaArg } from '../schema/types'
import { beyondComputing, computes, FUNCTIONALIZED, isConversion, type Standing } from './computes'

/** @param stands true if the user's files name a library's operator; PyTorch's own operators count only by their rules */
export function isRuled(node: Node, stands: Standing): boolean {
  const { op, target, args } = node
  const named: Standing = (operator) => !isNative(operator) && stands(operator)
  if (beyondComputing(node, named) !== null) return false
  if (op === 'call_method') return isConversion(target) || isRuledPacket(`aten.${target}`, node)
  if (op !== 'call_function') return false
  if (isHigherOrder(target)) {
    const [inner] = args
    return FUNCTIONALIZED.test(target) && isKind(inner, 'op') && isRuledOverload(inner.name, named)
  }
  if (isOverload(target)) return isRuledOverload(target, named)
  const name = target.replace(/^_operator\./, 'operator.')
  if (/^(?:operator|math|builtins)\./.test(name)) return isKnownFunction(name)
  return isRuledPacket(name.replace(/^torch\.(?:functional|nn\.functional|_C\._\w+|)\.?(?=\w+$)/, 'aten.'), node)
}

/** True for an operator of PyTorch's dispatcher. */
export const isNative = (operator: string): boolean =>
  /^(?:aten|prims?|inductor|higher_order|\w*quantized\w*|_?c10d\w*)\./.test(operator)

function isRuledOverload(name: string, stands: Standing): boolean {
  if (stands(name)) return true
  const schema = catalogSchema(name)
  return schema !== null && hasRule(schema)
}

/**
 * `torch.sum`, `aten.sum`, the method `sum`: PyTorch chooses the overload, so every overload needs a rule, except those that write
 * to `out`.
 */
function isRuledPacket(packet: string, { kwargs }: Node): boolean {
  const all = catalogOverloads(packet).filter((s) => [...s.args.map((a) => a.type), ...s.returns].some(isTensor))
  if (all.some(({ args }) => args.some((a) => isOut(a) && kwargs.has(a.name)))) return false
  const typed = all.filter(({ args }) => !args.some((a) => isOut(a) || a.type.base === 'Dimname'))
  return !kwargs.has('out') && typed.length > 0 && typed.every(hasRule)
}

/**
 * An operator whose rule does not exclude it, an in-place form of such an operator, or a reader of sizes; for a library, an
 * operator whose schema is in the definitions.
 */
function hasRule(schema: OpSchema): boolean {
  const { name, source } = schema
  if (!computes(schema) || schema.args.some(isOut)) return false
  const names = [name, name.replace(/_(?=\.\w+$)/, '')]
  return source !== undefined || /^aten\.sym_/.test(name) || names.some(isCalled)
}

const isCalled = (name: string): boolean => {
  const rule = lookupOp(name)
  return rule !== undefined && rule.called !== false
}

const isTensor = ({ base }: { readonly base: string }): boolean => base === 'Tensor'
const isOut = ({ written, kwargOnly }: SchemaArg): boolean => written && kwargOnly
