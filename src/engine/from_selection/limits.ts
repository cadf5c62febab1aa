/** Reasons why no pattern can match a selection, found in the graph alone. */
import { listed } from '../../base/english'
import { UNREADABLE } from '../../fx/target'
import { formatArg, formatKwargs, isOverload, visitNodes, type Graph, type Node } from '../../fx'
import { customContexts, hasUnsupportedType, isMutationOp, MutationRegions, type SchemaLookup } from '../../matcher'
import { dataOnly } from './data_only'
import { isRepeatable } from '../../explain/repeatable'
import { argumentsOf, feedersOf } from './selection'
import type { SelectedNodes } from './types'

/** One sentence; null if the graph alone excludes nothing. */
export function limitOf(graph: Graph, selection: SelectedNodes, schemaOf: SchemaLookup): string | null {
  return (
    notCalls(selection) ??
    unreadable(selection) ??
    dataOnly(selection) ??
    acrossMutation(graph, selection, schemaOf) ??
    acrossStreams(selection) ??
    cyclic(selection, schemaOf) ??
    disconnected(selection) ??
    unsupported(selection, schemaOf)
  )
}

const NOT_CALLS: Readonly<Record<string, string>> = {
  placeholder:
    'is an input of the graph, and a pattern matches calls only: leave it out, and it is an input of the pattern',
  get_attr:
    'is an attribute, which a pattern compares by values that the text does not have: leave it out, and it is an input of the pattern',
  output: 'is the graph’s output, and a pattern matches calls only: leave it out',
  call_module: 'calls a submodule, which PyTorch matches by its class, and a printed graph does not name the class',
}

function notCalls({ nodes }: SelectedNodes): string | null {
  for (const { op, name } of nodes) if (op in NOT_CALLS) return `%${name} ${NOT_CALLS[op]}.`
  return null
}

function unreadable({ nodes }: SelectedNodes): string | null {
  for (const node of nodes) {
    if (node.target === UNREADABLE) return `The line of %${node.name} cannot be read, so its call is unknown.`
  }
  return null
}

function acrossMutation(graph: Graph, { nodes }: SelectedNodes, schemaOf: SchemaLookup): string | null {
  const regions = new MutationRegions(graph, schemaOf)
  if (regions.areOne(nodes)) return null
  const [first, last] = [nodes[0]!, nodes.at(-1)!]
  for (const node of graph.nodes()) {
    if (!first.isBefore(node) || last.isBefore(node) || !isMutationOp(node, schemaOf)) continue
    const before = nodes.findLast((n) => n.isBefore(node))!
    const after = nodes.find((n) => !n.isBefore(node))!
    const where =
      after === node ? `%${before.name} is before it` : `%${before.name} is before it and %${after.name} after it`
    return isOverload(node.target)
      ? `%${node.name} writes to memory (${node.target}), and ${where}: PyTorch discards a match on both sides of a write.`
      : `PyTorch takes %${node.name} for a write to memory by its name (${node.target}), and ${where}: it discards a match on both sides of a write.`
  }
  return 'The nodes are in several mutation regions, and PyTorch discards a match across them.'
}

function acrossStreams({ nodes }: SelectedNodes): string | null {
  return customContexts(nodes) === 1
    ? null
    : 'The nodes run on several streams or in several memory pools, and PyTorch discards such a match.'
}

/** A replacement reads all inputs before it returns any output; nodes that it does not return are computed twice. */
function cyclic({ nodes, inputs, kept }: SelectedNodes, schemaOf: SchemaLookup): string | null {
  const inside = new Set(nodes)
  const feeders = feedersOf(
    inside,
    inputs.map((i) => i.node),
    nodes[0],
  )
  for (const [node, input] of feeders) {
    const depends = `%${input.name}, an input of the selection, depends on the selected %${node.name}`
    if (!kept.includes(node))
      return `${depends}: a replacement would be its own input. Select the nodes between them too.`
    const once = [...computedFrom(node, inside)].find((n) => !isRepeatable(n, schemaOf))
    if (once)
      return `${depends}: a replacement that returns %${node.name} would be its own input, and one that keeps it would run %${once.name} twice, which ${isMutationOp(once, schemaOf) ? 'writes to memory' : 'is random or has side effects'}. Select the nodes between them too.`
  }
  return null
}

/** For each node, the selected nodes that it is computed from. */
function computedFrom(node: Node, inside: ReadonlySet<Node>): ReadonlySet<Node> {
  const found = new Set([node])
  for (const n of found) for (const input of n.inputs()) if (inside.has(input)) found.add(input)
  return found
}

/** The matcher reaches each output from another through shared nodes; inputs count. */
function disconnected({ nodes }: SelectedNodes): string | null {
  const groups = new Map<Node, Node>()
  const groupOf = (n: Node): Node => {
    let root = n
    for (let up = groups.get(root); up; up = groups.get(root)) root = up
    return root
  }
  for (const node of nodes)
    for (const { arg } of argumentsOf(node))
      visitNodes(arg, (input) => {
        const [a, b] = [groupOf(node), groupOf(input)]
        if (a !== b) groups.set(a, b)
      })
  const [first, ...rest] = nodes as [Node, ...Node[]]
  const apart = rest.filter((n) => groupOf(n) !== groupOf(first))
  if (apart.length === 0) return null
  return `%${first.name} and ${listed(apart.map((n) => `%${n.name}`))} share no value: PyTorch finds a second output only through a node that it shares with the first.`
}

/** The pass never starts at a node with such tensors. */
function unsupported({ outputs }: SelectedNodes, schemaOf: SchemaLookup): string | null {
  if (!outputs.every((o) => hasUnsupportedType(o, schemaOf))) return null
  return `PyTorch tries no pattern at ${listed(outputs.map((o) => `%${o.name}`))}: TorchInductor does not support its complex, meta or float8_e8m0fnu tensors.`
}

/** True for the same operator on the same arguments. */
export function areEqualCalls(a: Node, b: Node): boolean {
  const keyOf = ({ op, target, args, kwargs }: Node): string =>
    `${op} ${target} ${args.map(formatArg).join()} ${formatKwargs(kwargs)}`
  return a !== b && keyOf(a) === keyOf(b)
}
