/**
 * Names that the namespace gave out but a printed graph no longer shows: tracing created nodes for them that dead-code
 * elimination removed. New nodes must not take these names, or they would differ from PyTorch's.
 */
import { ILLEGAL_NAMES } from '../fx/graph/illegal_names'
import { Namespace } from '../fx/graph/namespace'
import { isHigherOrder, isOverload } from '../fx/target'
import { Node, type Arg, type Graph, type OpRef, type TensorMeta, isGetitem } from '../fx'
import type { SchemaLookup } from './schema_facts'

/**
 * Reserves the names implied by the graph's history. Call once, before passes insert nodes, which have no such history.
 */
export function takeHiddenNames(graph: Graph, schemaOf: SchemaLookup): void {
  if (graph.namespace.historyTaken) return
  graph.namespace.historyTaken = true
  takeUnusedOutputs(graph, schemaOf)
  takeSymbolicSizes(graph)
  takeRenamed(graph)
}

/**
 * Dynamo names a node first after its target and then after its Python variable; the first name stays taken
 * (`TensorVariable.set_name_hint`, `Node._rename`). Its graphs are recognized by their inputs: `L_x_`.
 */
function takeRenamed(graph: Graph): void {
  const nodes = [...graph.nodes()]
  if (!nodes.some((n) => n.op === 'placeholder' && n.target.startsWith('L_'))) return
  const next = new Map<string, number>()
  for (const node of nodes) {
    const { op, name } = node
    if (op !== 'call_function' && op !== 'call_method') continue
    const base = candidateOf(node)
    const number = next.get(base) ?? (ILLEGAL_NAMES.has(base) ? 1 : 0)
    const own = name === base ? '0' : name.startsWith(`${base}_`) ? name.slice(base.length + 1) : ''
    if (/^\d+$/.test(own)) next.set(base, Number(own) + 1)
    else {
      next.set(base, number + 1)
      const first = number === 0 ? base : `${base}_${number}`
      if (!graph.namespace.has(first)) graph.namespace.reserve(first)
    }
  }
}

/**
 * A traced operator with k outputs got k consecutive getitem nodes: `getitem_4` of output 0 of two is followed by
 * `getitem_5`. An operator that a replacement inserted got only those that the replacement's graph uses, and one whose numbers
 * leave no room for the outputs between those that are used got only these.
 */
function takeUnusedOutputs(graph: Graph, schemaOf: SchemaLookup): void {
  const seen = new Map<string, number>()
  const items: { of: Node; index: number; number: number | null }[] = []
  for (const node of graph.nodes()) {
    const [of, index] = node.args
    if (!isGetitem(node) || !(of instanceof Node) || typeof index !== 'bigint') continue
    items.push({ of, index: Number(index), number: numberOf(node.name) })
    const kind = kindOf(of)
    seen.set(kind, Math.max(seen.get(kind) ?? 0, Number(index) + 1))
  }
  const onlyUsed = new Set<Node>()
  const last = new Map<Node, { index: number; number: number }>()
  for (const { of, index, number } of items.toSorted((a, b) => a.index - b.index)) {
    const before = last.get(of) ?? { index: -1, number: -1 }
    if (number !== null && number - before.number < index - before.index && number > before.number) onlyUsed.add(of)
    if (number !== null) last.set(of, { index, number })
  }
  for (const { of, index, number } of items) {
    if (number === null || isInserted(of) || onlyUsed.has(of)) continue
    const count = exactCount(of) ?? Math.max(outputCount(of, schemaOf) ?? 0, seen.get(kindOf(of)) ?? 0)
    for (let i = index + 1, n = number + 1; i < count; i++, n++)
      if (!graph.namespace.has(`getitem_${n}`)) graph.namespace.reserve(`getitem_${n}`)
  }
}

/** 4 for `getitem_4`, 0 for `getitem`; null for other names. */
function numberOf(name: string): number | null {
  const number = /^getitem(?:_(\d+))?$/.exec(name)
  return number && Number(number[1] ?? 0)
}

/** The name that FX derives from a node's target, without a number. */
const candidateOf = ({ op, target }: Node): string => Namespace.candidateFor(op, target).replace(/[^0-9a-zA-Z_]+/g, '_')

/** True if FX named the node after its overload (`topk_default`): the tracer names it after its packet (`topk`). */
const isInserted = (n: Node): boolean => isOverload(n.target) && n.name.replace(/_\d+$/, '') === candidateOf(n)

const opName = (arg: Arg | undefined): string | null =>
  arg !== null && typeof arg === 'object' && (arg as OpRef).kind === 'op' ? (arg as OpRef).name : null

const wrapped = (n: Node): string | null => opName(n.args[0])

/** Nodes of one operator are assumed to have equally many outputs if nothing else gives the number. */
const kindOf = (n: Node): string => (n.target.startsWith('higher_order.') ? `${n.target} ${wrapped(n)}` : n.target)

/** The number of pieces that the arguments of a split tell; null for other operators, and where sizes are unknown. */
function exactCount(n: Node): number | null {
  const size = (arg: Arg | undefined, dim: Arg | undefined): number | null => {
    const meta = arg instanceof Node && arg.meta.val?.kind === 'tensor' ? arg.meta.val : null
    const at = Number((dim as bigint | undefined) ?? 0n)
    const found = meta?.shape.at(at)
    return typeof found === 'number' ? found : null
  }
  const [input, second, third] = n.args
  switch (n.op === 'call_method' ? `torch.${n.target}` : n.target) {
    case 'aten.split.Tensor':
    case 'aten.split_with_sizes.default':
    case 'torch.functional.split':
    case 'torch.split': {
      if (Array.isArray(second)) return second.length
      const whole = size(input, third ?? n.kwargs.get('dim'))
      return whole !== null && typeof second === 'bigint' ? Math.ceil(whole / Number(second)) : null
    }
    case 'aten.unbind.int':
    case 'torch.unbind':
      return size(input, second ?? n.kwargs.get('dim'))
    default:
      return null
  }
}

function outputCount(n: Node, schemaOf: SchemaLookup): number | null {
  switch (n.target) {
    case 'higher_order.auto_functionalized_v2': {
      const bases = n.kwargs.get('_all_bases')
      return Array.isArray(bases) ? 1 + bases.length : null
    }
    case 'higher_order.with_effects': {
      // The token, then what the operator returns: one None where it returns nothing.
      const called = schemaOf(opName(n.args[1]) ?? '')
      return called ? 1 + Math.max(1, called.returns?.length ?? 0) : null
    }
    case 'higher_order.auto_functionalized': {
      const mutated = schemaOf(wrapped(n) ?? '')?.args.filter((a) => a.written).length
      return mutated === undefined ? null : 1 + mutated
    }
    default: {
      const returns = schemaOf(n.target)?.returns?.length ?? 0
      if (returns > 1) return returns
      // A dump shows only the used outputs, so this list may be too short.
      return n.meta.val?.kind === 'vals' ? n.meta.val.items.length : null
    }
  }
}

/** With sizes as inputs (`arg0_1: Sym(s77)`), tracing also named the sizes that it read from tensor inputs. */
function takeSymbolicSizes(graph: Graph): void {
  const sizes = new Set<string>()
  const offered: string[] = []
  const likes = new Set(
    [...graph.nodes()].filter((n) => n.target === 'aten.empty.memory_format' && n.kwargs.has('layout')).map(shapeText),
  )
  let symbolic = false
  for (const node of graph.nodes()) {
    const { val } = node.meta
    if (node.op === 'placeholder' && val?.kind === 'scalar' && isSym(val.value)) symbolic = true
    if (node.op === 'placeholder' && val?.kind === 'tensor' && isMeasured(node, likes)) offered.push(...symbolsOf(val))
    if (node.op !== 'placeholder' && val?.kind === 'tensor') symbolsOf(val).forEach((s) => sizes.add(s))
  }
  const count = symbolic ? offered.filter((s) => sizes.has(s)).length : 0
  for (let i = 0; i < count; i++) graph.namespace.take(i === 0 ? 'sym_size_int' : `sym_size_int_${i}`)
}

/**
 * Whether tracing named the sizes of an input: a higher-order operator reads none, and one of two operands that broadcast reads those of
 * the first. `empty_like` reads them and leaves an `empty` with a layout.
 */
const isMeasured = (input: Node, likes: ReadonlySet<string>): boolean =>
  [...input.users].some((n) =>
    isHigherOrder(n.target)
      ? likes.has(shapeText(input))
      : !(OF_TWO.test(n.target) && n.args[0] instanceof Node && n.args[0] !== input),
  )
const OF_TWO = /^aten\.(?:add|sub|mul|div)\.Tensor$/
const shapeText = ({ meta: { val } }: Node): string => (val?.kind === 'tensor' ? val.shape.join() : '')

const isSym = (v: unknown): v is { kind: 'sym'; expr: string } =>
  typeof v === 'object' && v !== null && (v as { kind?: unknown }).kind === 'sym'

const symbolsOf = (t: TensorMeta): string[] => t.shape.filter((d): d is string => typeof d === 'string')
