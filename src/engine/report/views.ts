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
} from '../../fx'
import { familyOf } from './family'
import type { GraphView, NodeView } from '../protocol'

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
