/** Fixes are Python files that run: what they take from a graph as it stands must be names. */
import type { Graph, Node } from '../../fx'
import { DTYPES } from '../../fx/dtypes'
import { isDevice } from '../../fx/code/values'
import type { Val } from '../../fx/value'

/**
 * True if the names of nodes, keywords, methods, dtypes and devices are what PyTorch makes. A graph of a stranger can have any text
 * there, which would become code of the user's file; targets of functions are looked up one by one (targetCode).
 */
export const hasPlainNames = (graph: Graph): boolean => [...graph.nodes()].every(isPlain)

const NAME = /^[A-Za-z_]\w*$/

const isPlain = ({ name, op, target, kwargs, meta }: Node): boolean =>
  NAME.test(name) &&
  (op !== 'call_method' || NAME.test(target)) &&
  [...kwargs.keys()].every((k) => NAME.test(k)) &&
  isKnown(meta.val ?? null)

const isKnown = (val: Val | null): boolean =>
  val?.kind === 'tensor'
    ? DTYPES.has(val.dtype) && (val.device === null || isDevice(val.device))
    : val?.kind !== 'vals' || val.items.every(isKnown)
