/** remove_noop_ops of torch._inductor.fx_passes.post_grad: removes clones and views that change nothing. */
import { NEWEST_RULES, type TorchRules } from '../base/torch_version'
import { Node, type Arg, type TensorMeta, isKind } from '../fx'
import { isFake, type DispatchArg } from '../ops/fake'
import { lookupOp } from '../ops/registry'
import { sameDim, sameDims } from '../ops/sym'
import { stridesOf } from '../ops/strides'
import type { Recorder } from './recorder'

/** A graph, with the tensor or scalar of each node. */
type Traced = Pick<Recorder, 'graph' | 'values'>

/** @returns each removed node and the node that replaced it */
export function removeNoops(r: Traced, rules: TorchRules = NEWEST_RULES): [node: string, is: string][] {
  const removed: [string, string][] = []
  const valueOf = (arg: Arg | undefined): DispatchArg => {
    if (!(arg instanceof Node)) return (arg ?? null) as DispatchArg
    return arg.meta.val?.kind === 'scalar' ? arg.meta.val.value : (r.values.get(arg) ?? null)
  }
  const output = r.graph.output()!
  const storage = (n: Node): number | null => {
    const v = r.values.get(n)
    return isFake(v) ? v.storage : null
  }
  const inputs = new Set<Node>([...r.graph.nodes()].filter((n) => n.op === 'placeholder'))
  const inputStorages = new Set([...inputs].map(storage))
  const returned = output.args[0]
  const outputs = (
    Array.isArray(returned) ? (returned as readonly Arg[]) : isKind(returned, 'tuple') ? returned.items : [returned]
  ).filter((a): a is Node => a instanceof Node)
  const outputStorages = new Set(outputs.map(storage))
  for (const node of r.graph.nodes()) {
    const source = node.op === 'call_function' ? lookupOp(node.target)?.noop?.(node.args, valueOf, rules) : undefined
    if (!(source instanceof Node)) continue
    const of = storage(node)
    const from = storage(source)
    const isView = of === from
    // Do not create aliasing between inputs and outputs.
    if (!isView && outputStorages.has(of) && (inputStorages.has(from) || outputStorages.has(from))) continue
    // If they alias already, two of them must not become one node. `in output_node.args` sees only a single return.
    const isOutput = (n: Node): boolean => output.args.includes(n)
    if (isView && isOutput(node) && (inputs.has(source) || isOutput(source))) continue
    if (!sameMeta(node, source, r)) continue
    node.replaceAllUsesWith(source)
    r.graph.eraseNode(node)
    removed.push([node.name, source.name])
  }
  return removed
}

function sameMeta(a: Node, b: Node, r: Traced): boolean {
  // Compare metadata at the node's creation: a later `t_()` changes the tensor, but not the node's recorded value.
  const meta = (n: Node): TensorMeta | null => {
    const value = r.values.get(n)
    return isFake(value) ? (n.meta.val?.kind === 'tensor' ? n.meta.val : value.meta) : null
  }
  const [x, y] = [meta(a), meta(b)]
  if (!x || !y) return false
  const bits = (n: Node): string => {
    const value = r.values.get(n)
    return isFake(value) ? `${value.conj === true} ${value.neg === true}` : ''
  }
  if (bits(a) !== bits(b)) return false
  const [s, t] = [stridesOf(x), stridesOf(y)]
  return (
    sameDims(x.shape, y.shape) &&
    x.dtype === y.dtype &&
    x.device?.type === y.device?.type &&
    (x.device?.index ?? null) === (y.device?.index ?? null) &&
    s.every((d, i) => sameDim(d, t[i]!))
  )
}
