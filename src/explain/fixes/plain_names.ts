/** Fixes are Python files that run: texts that they take from a graph must be names. */
import { memoizeByObject } from '../../base/memoize'
import { operatorOf, type Graph, type Node } from '../../fx'
import { DTYPES } from '../../fx/dtypes'
import { isDevice } from '../../fx/code/values'
import type { Val } from '../../fx/value'

/**
 * True if the names of nodes, keywords, operators, methods, dtypes and devices have the form that PyTorch generates. An untrusted
 * graph can contain any text in these places, and a fix would write it into the user's file as code. The result is cached, because
 * the search asks for each near miss about an unchanging graph.
 */
export const hasPlainNames = memoizeByObject((graph: Graph): boolean => [...graph.nodes()].every(isPlain))

const NAME = /^[A-Za-z_]\w*$/
/** `aten.add.Tensor`, `layers.0`, `f.<locals>.g`. */
const PATH = String.raw`(?:\w+|<(?:locals|lambda)>)(?:\.(?:\w+|<(?:locals|lambda)>))*`
/** Also `<function f at 0x7f>` and `<built-in method relu of type object at 0x7f>`, which are invalid Python after any prefix. */
const TARGET = new RegExp(String.raw`^${PATH}$|^<[\w -]+>$|^<function ${PATH} at 0x[\da-f]+>$`)

/** Targets of inputs are never written; a parameter can be `*args`. */
const isPlain = (node: Node): boolean =>
  NAME.test(node.name) &&
  (node.op === 'placeholder' || TARGET.test(node.target)) &&
  TARGET.test(operatorOf(node)) &&
  [...node.kwargs.keys()].every((k) => NAME.test(k)) &&
  isKnown(node.meta.val ?? null)

const isKnown = (val: Val | null): boolean =>
  val?.kind === 'tensor'
    ? DTYPES.has(val.dtype) && (val.device === null || isDevice(val.device))
    : val?.kind !== 'vals' || val.items.every(isKnown)
