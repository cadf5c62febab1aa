/** Tells whether a call gives the same values each time. */
import { isImpure, type Arg, type Node } from '../../fx'
import { isMutationOp, type SchemaLookup } from '../../matcher'

const RANDOM_NAME = /dropout|rand|bernoulli|multinomial|normal_|poisson|rrelu|exponential_|uniform_/

/** False for a call that writes to memory, draws random numbers or has other side effects. */
export function isRepeatable(node: Node, schemaOf: SchemaLookup): boolean {
  if (isMutationOp(node, schemaOf)) return false
  const name = node.target
    .split('.')
    .slice(node.op === 'call_method' ? -1 : 1)
    .join('.')
  if (/dropout|dot_product/.test(name)) return isDropoutOff(node, schemaOf)
  if (RANDOM_NAME.test(name)) return false
  return !isImpure(node, { isMutable: (target) => schemaOf(target)?.mutable })
}

/** Attention without `dropout_p`, and dropout in evaluation. */
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
