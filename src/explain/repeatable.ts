/** Tells whether a call gives the same values each time. */
import { isHigherOrder, printNode, type Arg, type Node } from '../fx'
import { isMutationOp, type SchemaLookup } from '../matcher'
import { isImpure } from '../ops/purity'
import { catalogOverloads, catalogSchema, hasTag } from '../ops/schema'

const isRandom = (name: string): boolean =>
  name.includes('rand') || catalogOverloads(`aten.${name}`).some((s) => hasTag(s.name, 'nondeterministic_seeded'))

/** False for a call that writes to memory, draws random numbers or has other side effects. */
export function isRepeatable(node: Node, schemaOf: SchemaLookup): boolean {
  if (isMutationOp(node, schemaOf)) return false
  const name = node.target
    .split('.')
    .slice(node.op === 'call_method' ? -1 : 1)
    .join('.')
  if (/dropout|dot_product/.test(name)) return isDropoutOff(node, schemaOf)
  if (name.split('.').some(isRandom)) return false
  return !isImpure(node, schemaOf)
}

/** Attention without `dropout_p`, and dropout in evaluation mode. */
function isDropoutOff(node: Node, schemaOf: SchemaLookup): boolean {
  const valueOf = (name: string, position: number): Arg | undefined => {
    const at = schemaOf(node.target)?.args.findIndex((a) => a.name === name) ?? position
    return node.kwargs.get(name) ?? (at >= 0 ? node.args[at] : undefined)
  }
  if (/dot_product/.test(node.target)) {
    const p = valueOf('dropout_p', 4)
    return p === undefined || p === 0
  }
  const [p, train] = [valueOf('p', 1), valueOf('training', 2) ?? valueOf('train', 2)]
  return train === false || p === 0
}

/** A call's computation as text: equal for calls that may be merged. Null for a call whose results may differ each time. */
export const computed = (node: Node): string | null =>
  node.op === 'call_function' &&
  !isHigherOrder(node.target) &&
  !/empty/.test(node.target) &&
  isRepeatable(node, catalogSchema)
    ? printNode(node).replace(/^.*? = /, '')
    : null
