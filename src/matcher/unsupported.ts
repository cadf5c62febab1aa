/** Nodes that TorchInductor leaves alone because of a dtype or device; passes never try them. */
import { Node, visitNodes, type TensorMeta, type Val } from '../fx'

const COMPLEX = new Set(['complex32', 'complex64', 'complex128'])
const COMPLEX_OUTPUT_OK = new Set(['aten.view.dtype', 'prims.convert_element_type.default'])

/** fallback_node_due_to_unsupported_type: a complex or meta tensor among the node's operands or results. */
export function hasUnsupportedType(node: Node): boolean {
  if (node.target === 'aten.view_as_complex.default' || node.target === 'aten.lift_fresh_copy.default') return false
  if (node.op === 'placeholder') return false
  let found = false
  const check = (n: Node): void => {
    found ||= tensorsOf(n.meta.val).some(isUnsupported)
  }
  for (const a of node.args) visitNodes(a, check)
  for (const a of node.kwargs.values()) visitNodes(a, check)
  if (found) return true
  const complexOk = COMPLEX_OUTPUT_OK.has(node.target)
  return tensorsOf(node.meta.val).some((t) => !(complexOk && COMPLEX.has(t.dtype)) && isUnsupported(t))
}

const isUnsupported = (t: TensorMeta): boolean => COMPLEX.has(t.dtype) || t.device?.type === 'meta'

function tensorsOf(val: Val | null | undefined): TensorMeta[] {
  if (val?.kind === 'tensor') return [val]
  return val?.kind === 'vals' ? val.items.flatMap(tensorsOf) : []
}
