/**
 * decompose_auto_functionalized (torch/_inductor/fx_passes/post_grad.py): each functionalized call becomes
 * clones of the arguments it writes to and the mutating call. Arguments that reinplacing marked safe are not cloned.
 */
import { NEWEST_RULES } from '../../base/torch_version'
import { mapArgs, visitNodes, type Arg, type Graph, type Node, type Val, wrappedOperator } from '../../fx'
import { replaceWithGraph } from '../../matcher/replace'
import { isFake, isTuple, type DispatchArg, dimArgs, itemsOf, toDim, type FakeTensor } from '../../ops/fake'
import { valuesOf } from '../../trace/propagate'
import type { TraceInput, Tracer } from '../../trace/types'
import { FUNCTIONALIZED, kept, mutatedOf, V2 } from './functionalized'
import { PassRefusal, type PostGradResult, type PostGradContext } from './types'
import { stridesOf } from '../../ops/strides'

/** A stride-preserving clone, over a clone of the storage that the tensor spans; for a list, a clone of each item. */
function clonePreservingStrides(value: DispatchArg, tracer: Tracer): DispatchArg {
  if (isFake(value)) return cloneOf(value, tracer)
  const items = itemsOf(value)
  return items ? items.map((v) => clonePreservingStrides(v, tracer)) : value
}

function cloneOf(x: FakeTensor, tracer: Tracer): DispatchArg {
  const call = (name: string, ...args: DispatchArg[]): DispatchArg => tracer.call(name, args, new Map())
  const { shape, storageOffset = 0 } = x.meta
  const [size, stride, offset] = [dimArgs(shape), dimArgs(stridesOf(x.meta)), dimArgs([storageOffset])[0]!]
  const needed = requiredLength(size, stride, offset, tracer)
  const buffer = call('aten.clone.default', call('aten.as_strided.default', x, [needed], [1n], 0n))
  return call('aten.as_strided.default', buffer, size, stride, offset)
}

/** compute_required_storage_length, operation by operation: each operation on a symbolic size becomes a node. */
function requiredLength(
  size: readonly DispatchArg[],
  stride: readonly DispatchArg[],
  offset: DispatchArg,
  tracer: Tracer,
): DispatchArg {
  const op = (name: string, a: DispatchArg, b: DispatchArg): DispatchArg =>
    tracer.call(`operator.${name}`, [a, b], new Map())
  if (toDim(size.reduce((p, d) => op('mul', p, d), 1n)) === 0) return 0n
  const furthest = size.reduce((sum, d, i) => op('add', sum, op('mul', op('sub', d, 1n), stride[i]!)), 0n)
  return op('add', op('add', 1n, offset), furthest)
}

type Kwargs = ReadonlyMap<string, DispatchArg>

export function decomposeAutoFunctionalized(graph: Graph, context: PostGradContext): PostGradResult {
  const nodes = [...graph.nodes()].filter((n) => n.op === 'call_function' && FUNCTIONALIZED.has(n.target)).reverse()
  const notes: string[] = []
  const values = nodes.length > 0 ? valuesOf(graph, context.tracer) : new Map<Node, DispatchArg>()
  for (const node of nodes) {
    const clones = kept(node)
    const inputs = inputsOf(node)
    const replacement = traced(node, inputs, values, context)
    replaceWithGraph({ nodes: [node], outputNodes: () => [node] }, graph, replacement, inputs, {
      schemaOf: context.schemaOf,
      rules: NEWEST_RULES,
    })
    notes.push(`${node.name}: ${clones === null ? 'everything it writes to is cloned' : clonesText(clones)}`)
  }
  for (const n of [...graph.nodes()]) if (n.op === 'get_attr' && n.users.size === 0) graph.eraseNode(n)
  return { count: nodes.length, notes: notes.reverse() }
}

const clonesText = (clones: readonly unknown[]): string =>
  clones.length === 0 ? 'nothing is cloned' : `${clones.map(String).join(', ')} cloned`

/** Nodes among the arguments, in order, once per occurrence. */
function inputsOf(node: Node): Node[] {
  const found: Node[] = []
  for (const a of [...node.args, ...node.kwargs.values()]) visitNodes(a, (n) => void found.push(n))
  return found
}

/** The dense call traced over the metadata of its inputs, as make_fx does it without functional passes. */
function traced(
  node: Node,
  inputs: readonly Node[],
  values: ReadonlyMap<Node, DispatchArg>,
  { tracer, schemaOf }: PostGradContext,
): Graph {
  const fakes = tracer.begin(inputs.map((n, i): TraceInput => ({ name: `arg${i}`, val: metaOf(n, values.get(n)) })))
  let next = 0
  // The tracer accepts fake tensors instead of nodes.
  const swap = (): Arg => fakes[next++] as unknown as Arg
  const kwargs = mapArgs(node.args, node.kwargs, swap)[1] as unknown as Kwargs
  const target = wrappedOperator(node)
  if (target === null) throw new PassRefusal(`${node.name} wraps another graph, which is not decomposed here`)
  try {
    const mutated = mutatedOf(node, target, schemaOf)
    const dense = node.target === V2 ? denseV2 : denseV1
    const { call, results } = dense(kwargs, mutated, kept(node), tracer)
    const out = tracer.call(target, [], call)
    return tracer.end({ kind: 'tuple', items: [...(isTuple(out) ? out.items : [out]), ...results] }, false)
  } catch (e) {
    tracer.abort()
    throw e
  }
}

type Dense = (
  kwargs: Kwargs,
  mutated: readonly string[],
  onlyClone: readonly unknown[] | null,
  tracer: PostGradContext['tracer'],
) => { call: Kwargs; results: DispatchArg[] }

/** auto_functionalized_dense. */
const denseV1: Dense = (kwargs, mutated, onlyClone, tracer) => {
  const call = new Map(kwargs)
  const results = mutated.map((name) => {
    const given = kwargs.get(name) ?? null
    const result = onlyClone && !onlyClone.includes(name) ? given : clonePreservingStrides(given, tracer)
    call.set(name, result)
    return result
  })
  return { call, results }
}

/** auto_functionalized_v2_dense: bases are cloned, and the written arguments are rebuilt from them. */
const denseV2: Dense = (kwargs, mutated, onlyClone, tracer) => {
  const call = new Map(kwargs)
  const given = (call.get('_all_bases') ?? []) as readonly DispatchArg[]
  call.delete('_all_bases')
  const views = mutated.map((name) => [name, regenerate(name, call)] as const)
  const results = given.map((base, i) =>
    onlyClone && !onlyClone.includes(i) ? base : clonePreservingStrides(base, tracer),
  )
  for (const [name, view] of views) call.set(name, view(results, tracer))
  return { call, results }
}

/** Includes the storage offset, which a printed graph omits. */
function metaOf(n: Node, value: DispatchArg | undefined): Val {
  if (isFake(value)) return value.meta
  if (n.meta.val) return n.meta.val
  throw new PassRefusal(`the shape of ${n.name} is unknown, so ${[...n.users][0]?.name ?? 'its user'} cannot be traced`)
}

/** Rebuilds the argument from the new bases: a view of one of them (torch/_higher_order_ops/auto_functionalize.py). */
type Regenerate = (bases: readonly DispatchArg[], tracer: Tracer) => DispatchArg

/** Reads the keywords about `name`, and removes them. */
function regenerate(name: string, kwargs: Map<string, DispatchArg>): Regenerate {
  const length = `_${name}_length`
  if (!kwargs.has(length)) return single(`_${name}`, kwargs)
  const count = take(kwargs, length)
  if (count === null) return () => null
  const items = Array.from({ length: Number(toDim(count)) }, (_, i) => single(`_${name}_${i}`, kwargs))
  return (bases, tracer) => items.map((item) => item(bases, tracer))
}

function single(prefix: string, kwargs: Map<string, DispatchArg>): Regenerate {
  const index = take(kwargs, `${prefix}_base_index`)
  if (index === null) return () => null
  const base = (bases: readonly DispatchArg[]): DispatchArg => bases[Number(toDim(index))] ?? null
  const view =
    (target: string, ...args: DispatchArg[]): Regenerate =>
    (bases, tracer) =>
      tracer.call(target, [base(bases), ...args], new Map())
  const has = (part: string): boolean => kwargs.has(`${prefix}_${part}`)
  const part = (name: string): DispatchArg => take(kwargs, `${prefix}_${name}`)
  if (has('alias')) {
    part('alias')
    return view('aten.alias.default')
  }
  if (has('storage_offset'))
    return view('aten.as_strided.default', part('size'), part('stride'), part('storage_offset'))
  if (has('slice_dim')) return view('aten.slice.Tensor', part('slice_dim'), part('slice_start'), part('slice_end'))
  return base
}

function take(kwargs: Map<string, DispatchArg>, key: string): DispatchArg {
  const value = kwargs.get(key) ?? null
  kwargs.delete(key)
  return value
}
