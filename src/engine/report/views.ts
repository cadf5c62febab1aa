/** Converts graphs to plain rows with indices, for the page. */
import {
  dtypeAbbr,
  formatArg,
  plainRepr,
  type Graph,
  type Node,
  type Problem,
  type TensorMeta,
  type Val,
  wrappedOperator,
  operatorBehind,
} from '../../fx'
import type { GraphView, NodeView, OpFamily } from '../protocol'
import type { Family } from '../../ops/operator'
import { namesWith } from '../../ops/traits'

const FAMILIES: readonly Family[] = ['matmul', 'attention', 'reduction', 'view', 'factory', 'cast']

/** Operator name (overload dropped) → family. An operator of PyTorch in no family is elementwise. */
const BY_NAME = new Map<string, OpFamily>(
  FAMILIES.flatMap((family) => [...namesWith(family)].map((name) => [name, family] as const)),
)

const COLLECTIVE = /(^|[._])(all_reduce|all_gather|reduce_scatter|all_to_all|broadcast|wait_tensor)/

/** Color class of a node. */
function familyOf(node: Node): OpFamily {
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

/** @param problems lines that the reader could not read; the nodes come from the other lines */
export function viewOf(graph: Graph, problems: Problem[] = []): GraphView {
  const nodes = [...graph.nodes()]
  const index = new Map(nodes.map((n, i) => [n, i]))
  const indices = (list: Iterable<Node>): number[] => {
    const out: number[] = []
    for (const n of list) {
      const i = index.get(n)
      if (i !== undefined) out.push(i)
    }
    return out
  }
  return { problems, nodes: nodes.map((n) => nodeView(n, indices(n.inputs()), indices(n.users))) }
}

function nodeView(node: Node, inputs: number[], users: number[]): NodeView {
  const tensor = tensorOf(node.meta.val)
  return {
    name: node.name,
    op: node.op,
    target: node.target,
    inner: wrappedOperator(node),
    family: familyOf(node),
    dtype: tensor ? dtypeAbbr(tensor.dtype) : null,
    shape: tensor ? dims(tensor.shape) : null,
    stride: tensor?.stride ? dims(tensor.stride) : null,
    device: tensor?.device
      ? tensor.device.type + (tensor.device.index === null ? '' : `:${tensor.device.index}`)
      : null,
    args: node.args.map(formatArg),
    kwargs: [...node.kwargs].map(([k, v]) => [k, formatArg(v)]),
    inputs,
    users,
    ...metaOf(node),
    source: node.meta.source ?? null,
    textLine: node.meta.textLine ?? null,
  }
}

function metaOf({ meta: { custom, additional } }: Node): Pick<NodeView, 'meta'> {
  if (!custom && !additional) return {}
  const keys = Object.entries({ ...(custom && { custom }), ...additional })
  return { meta: keys.map(([key, value]) => [`meta["${key}"]`, plainRepr(value)]) }
}

export function tensorOf(val: Val | undefined): TensorMeta | null {
  return val?.kind === 'tensor' ? val : null
}

const dims = (d: readonly (number | string)[]): string => `[${d.join(', ')}]`
