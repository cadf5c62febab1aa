/** remove_noop_ops of torch._inductor.fx_passes.post_grad: removes clones and views that change nothing. */
import { Node, type Arg, type TensorMeta } from '../fx'
import { isFake, type DispatchArg } from '../ops/fake'
import { isIntDtype } from '../ops/promote'
import { sameDim, sameDims } from '../ops/sym'
import { stridesOf } from '../ops/strides'
import type { Recorder } from './recorder'

/** A graph, with the tensor or scalar of each node. */
type Traced = Pick<Recorder, 'graph' | 'values'>

type Condition = (args: readonly Arg[], r: Traced) => boolean

const always: Condition = () => true
const integer: Condition = ([x], r) => {
  const t = valueOf(x, r)
  return isFake(t) && isIntDtype(t.meta.dtype)
}

const MAX = 9223372036854775807n

/** By overload or packet: the condition under which it changes nothing, and the argument that it then equals. */
const NOOPS: Readonly<Record<string, { when: Condition; source?: (args: readonly Arg[]) => Arg | undefined }>> = {
  'aten.slice': {
    when: ([x, dim = 0n, start = null, end = null, step = 1n], r) => {
      const t = valueOf(x, r)
      if (start !== 0n || end === null || step !== 1n || !isFake(t)) return false
      const size = t.meta.shape.at(Number(dim))
      return typeof end === 'bigint' && (end >= MAX || (typeof size === 'number' && end >= size))
    },
  },
  'aten.slice_scatter': {
    when: ([x, , dim = 0n, start = null, end = null, step = 1n], r) => {
      const t = valueOf(x, r)
      if ((start !== null && start !== 0n) || step !== 1n || !isFake(t)) return false
      const size = t.meta.shape.at(Number(dim))
      return end === null || (typeof end === 'bigint' && (end >= MAX || (typeof size === 'number' && end >= size)))
    },
    source: (args) => args[1],
  },
  'aten.repeat': { when: ([, repeats]) => Array.isArray(repeats) && repeats.every((n) => n === 1n) },
  'aten.constant_pad_nd': { when: ([, pad]) => Array.isArray(pad) && pad.every((n) => n === 0n) },
  'prims.convert_element_type': { when: always },
  'prims.device_put': { when: always },
  'aten.ceil': { when: integer },
  'aten.floor': { when: integer },
  'aten.round': { when: integer },
  'aten.trunc': { when: integer },
  'aten.pow': { when: ([, exponent]) => exponent === 1n || exponent === true },
  'aten.cat': {
    when: ([list]) => Array.isArray(list) && list.length === 1,
    source: ([list]) => (Array.isArray(list) ? (list as readonly Arg[])[0] : undefined),
  },
  'aten.view.default': {
    when: ([x, size], r) => {
      const t = valueOf(x, r)
      return (
        isFake(t) &&
        Array.isArray(size) &&
        sameDims(
          t.meta.shape,
          (size as Arg[]).map((s) => dimOf(s, r)),
        )
      )
    },
  },
  'aten.view.dtype': { when: always },
  'aten.copy': { when: always, source: (args) => args[1] },
  'aten.alias': { when: always },
  'aten.clone': { when: always },
}

const noopOf = (target: string): (typeof NOOPS)[string] | undefined =>
  NOOPS[target] ?? NOOPS[target.slice(0, target.lastIndexOf('.'))]

const valueOf = (arg: Arg | undefined, r: Traced): DispatchArg =>
  arg instanceof Node ? (r.values.get(arg) ?? null) : null

function dimOf(arg: Arg, r: Traced): number | string {
  if (arg instanceof Node) {
    const val = r.values.get(arg) ?? null
    const scalar = arg.meta.val?.kind === 'scalar' ? arg.meta.val.value : val
    if (typeof scalar === 'object' && scalar !== null && 'kind' in scalar && scalar.kind === 'sym') return scalar.expr
    return NaN
  }
  return Number(arg)
}

/** @returns each removed node and the node that replaced it */
export function removeNoops(r: Traced): [node: string, is: string][] {
  const removed: [string, string][] = []
  const output = r.graph.output()!
  const storage = (n: Node): number | null => {
    const v = r.values.get(n)
    return isFake(v) ? v.storage : null
  }
  const inputs = new Set<Node>([...r.graph.nodes()].filter((n) => n.op === 'placeholder'))
  const inputStorages = new Set([...inputs].map(storage))
  const returned = output.args[0]
  const outputs = (
    Array.isArray(returned)
      ? (returned as readonly Arg[])
      : typeof returned === 'object' && returned !== null && 'kind' in returned && returned.kind === 'tuple'
        ? returned.items
        : [returned]
  ).filter((a): a is Node => a instanceof Node)
  const outputStorages = new Set(outputs.map(storage))
  for (const node of r.graph.nodes()) {
    const noop = node.op === 'call_function' ? noopOf(node.target) : undefined
    if (!noop) continue
    const source = noop.source ? noop.source(node.args) : node.args[0]
    if (!(source instanceof Node)) continue
    const of = storage(node)
    const from = storage(source)
    const isView = of === from
    // Do not create aliasing between inputs and outputs.
    if (!isView && outputStorages.has(of) && (inputStorages.has(from) || outputStorages.has(from))) continue
    // If they alias already, two of them must not become one node. `in output_node.args` sees only a single return.
    const isOutput = (n: Node): boolean => output.args.includes(n)
    if (isView && isOutput(node) && (inputs.has(source) || isOutput(source))) continue
    if (!sameMeta(node, source, r) || !noop.when(node.args, r)) continue
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
