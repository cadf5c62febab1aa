/** Nodes that passes never try, because TorchInductor does not support their dtype or device. */
import { isOverload, Node, visitNodes, type Arg, type DType, type TensorMeta, type Val } from '../fx'
import { isComplexDtype } from '../ops/promote'
import { withTrait } from '../ops/traits'
import type { SchemaLookup } from './schema_facts'

const BITCAST = 'aten.view.dtype'
const COMPLEX_OUTPUT_OK = new Set([BITCAST, 'prims.convert_element_type.default'])
const takesE8m0Values = withTrait('e8m0')
const E8M0_CONVERTS_TO = new Set(['float32', 'float64', 'float16', 'bfloat16'])

/**
 * fallback_node_due_to_unsupported_type: a complex or meta tensor among the node's operands or results, or a
 * float8_e8m0fnu one if the operator does more than move bytes. Checks that depend on the GPU (fp8 before sm89) are
 * assumed to pass.
 */
export function hasUnsupportedType(node: Node, schemaOf: SchemaLookup): boolean {
  if (node.target === 'aten.view_as_complex.default' || node.target === 'aten.lift_fresh_copy.default') return false
  if (node.op === 'placeholder') return false
  const isUnsupported = (t: TensorMeta): boolean =>
    isComplexDtype(t.dtype) || onMeta(t) || (t.dtype === 'float8_e8m0fnu' && !takesE8m0(node, schemaOf))
  let found = false
  const check = (n: Node): void => {
    found ||= someTensor(n.meta.val, isUnsupported)
  }
  for (const a of node.args) if (typeof a === 'object') visitNodes(a, check)
  if (node.kwargs.size > 0) for (const a of node.kwargs.values()) visitNodes(a, check)
  if (found) return true
  const complexOk = COMPLEX_OUTPUT_OK.has(node.target)
  return someTensor(node.meta.val, (t) => !(complexOk && isComplexDtype(t.dtype)) && isUnsupported(t))
}

const onMeta = (t: TensorMeta): boolean => t.device?.type === 'meta'

/** Bitcasts, views and copies may read and write the scales of MX formats; arithmetic, getitem and opaque operators may not. */
function takesE8m0(node: Node, schemaOf: SchemaLookup): boolean {
  if (node.op !== 'call_function' || !isOverload(node.target)) return false
  if (node.target === BITCAST || takesE8m0Values(node.target) || schemaOf(node.target)?.args.some((a) => a.aliased))
    return true
  return node.target === 'prims.convert_element_type.default' && E8M0_CONVERTS_TO.has(dtypeName(node.args[1]))
}

const dtypeName = (a: Arg | undefined): string =>
  (a as DType | null | undefined)?.kind === 'dtype' ? (a as DType).name : ''

function someTensor(val: Val | null | undefined, is: (t: TensorMeta) => boolean): boolean {
  if (val?.kind === 'tensor') return is(val)
  return val?.kind === 'vals' && val.items.some((v) => someTensor(v, is))
}
