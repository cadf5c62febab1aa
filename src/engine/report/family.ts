import { operatorBehind, type Node } from '../../fx'
import type { Family } from '../../ops/operator'
import { namesWith } from '../../ops/traits'
import type { OpFamily } from '../protocol'

const FAMILIES: readonly Family[] = ['matmul', 'attention', 'reduction', 'view', 'factory', 'cast']

/** Operator name (overload dropped) → family. An operator of PyTorch in no family is elementwise. */
const BY_NAME = new Map<string, OpFamily>(
  FAMILIES.flatMap((family) => [...namesWith(family)].map((name) => [name, family] as const)),
)

const COLLECTIVE = /(^|[._])(all_reduce|all_gather|reduce_scatter|all_to_all|broadcast|wait_tensor)/

/** Color class of a node. */
export function familyOf(node: Node): OpFamily {
  switch (node.op) {
    case 'placeholder':
    case 'get_attr':
      return 'input'
    case 'output':
      return 'output'
    case 'call_module':
      return 'custom'
    case 'call_method':
      return BY_NAME.get(node.target) ?? 'elementwise'
    default:
      return familyOfTarget(operatorBehind(node.target))
  }
}

function familyOfTarget(target: string): OpFamily {
  if (target === 'operator.getitem' || target === '_operator.getitem') return 'getitem'
  if (/^(_operator|operator|math|torch\.sym_)/.test(target)) return 'elementwise'
  const [ns = '', name = ''] = target.split('.')
  if (ns === 'higher_order') return name.startsWith('auto_functionalized') ? 'functionalized' : 'higher_order'
  if (COLLECTIVE.test(target)) return 'collective'
  if (ns === 'aten' || ns === 'prims') return BY_NAME.get(name) ?? BY_NAME.get(name.replace(/_$/, '')) ?? 'elementwise'
  if (target.startsWith('torch.')) return BY_NAME.get(target.split('.').at(-1) ?? '') ?? 'elementwise'
  return target.split('.').length >= 2 ? 'custom' : 'other'
}
