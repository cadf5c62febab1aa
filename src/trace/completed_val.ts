/** Values that a text leaves out: of unused outputs, and of calls between annotated ones. */
import { isFunctionOrMethod, type Node, type Val } from '../fx'
import { argumentValues } from './argument_values'
import { calledBy, isOfUser, ofVal } from './propagate'
import { valOf } from './recorder'
import type { DispatchArg, Tracer } from './types'

/** Maximum length of a chain of calls without values: longer chains would repeat the whole graph for each node. */
const DEPTH = 4

/**
 * The value of a node of a read graph. If the text lacks it or some of its outputs, it is computed from the inputs and then kept in
 * `meta.val`. A node that a pass inserted keeps the value that the pass set.
 */
export function completedVal(node: Node, tracer: Tracer, depth = DEPTH): Val | undefined {
  const known = node.meta.val
  if (!isFunctionOrMethod(node) || node.meta.textLine === undefined || (known && isWhole(known))) return known
  const values = new Map<Node, DispatchArg>()
  for (const input of node.inputs()) {
    const val = depth > 0 ? completedVal(input, tracer, depth - 1) : input.meta.val
    if (!val || !isWhole(val)) return known
    values.set(input, ofVal(val, tracer))
  }
  try {
    const made = valOf(tracer.infer(calledBy(node), ...argumentValues(node, values)))
    if (made) node.meta.val = known ? merged(known, made) : made
  } catch (e) {
    if (!isOfUser(e)) throw e
  }
  return node.meta.val
}

const isWhole = (val: Val): boolean => val.kind !== 'vals' || (!val.partial && val.items.every((v) => v !== null))

/** The text's items, then the computed ones. */
function merged(known: Val, made: Val): Val {
  if (known.kind !== 'vals' || made.kind !== 'vals') return known
  return { ...made, items: made.items.map((v, i) => known.items[i] ?? v) }
}
