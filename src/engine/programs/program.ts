/** The two sides of a match as straight-line programs over the same inputs, for src/gpu to run. */
import { formatArg, Node, operatorBehind, type Arg, type Graph, type TensorMeta, isKind } from '../../fx'
import type { OperatorBodies } from './operator_bodies'
import { isNodeRef, mapLeaves } from '../../gpu/lower/lower_inputs'
import { withRanks } from '../../gpu/run/ranks'
import type { RunInput, RunNode, RunProgram, RunPrograms, RunValue } from '../../gpu/types'
import type { AppliedMatch } from '../../matcher'
import { tensorOf } from '../report/views'

/** A pass's effect on a graph, as far as programs need it. */
export interface Rewrite {
  before: Graph
  after: Graph
  /** Maps each node of `before` to its copy, which is in `after` unless the pass erased it. */
  copies: ReadonlyMap<Node, Node>
  matches: readonly RewrittenMatch[]
}

/** A match that a replacement or a handler rewrote. */
export type RewrittenMatch = Pick<AppliedMatch, 'nodes' | 'outputs' | 'added' | 'replacedBy' | 'made'>

/** The part of a graph that a rewrite changes, before and after it. */
export interface Region {
  /** Computed nodes of the graph before and of the graph after; other nodes that they use are inputs. */
  before: ReadonlySet<string>
  after: ReadonlySet<string>
  /** Values that leave the part: names in the graph before and after. */
  outputs: readonly (readonly [was: string, is: string])[]
}

/** The nodes of a match and of its replacement. */
export function regionOf({ after }: Rewrite, match: RewrittenMatch): Region {
  const kept = match.outputs.map((name, i) => [name, match.replacedBy[i] ?? null] as const)
  // The replacement of an unused output is removed after the pass, so there is nothing to compare.
  const outputs = kept.filter((p): p is [string, string] => p[0] !== null && p[1] !== null && after.find(p[1]) !== null)
  return { before: new Set(match.nodes), after: new Set(match.added), outputs }
}

/** A region before and after a pass, as two programs over the same inputs. */
export function programsOf(
  title: string,
  { before, after, copies, matches }: Rewrite,
  region: Region,
  bodies: OperatorBodies | null = null,
): RunPrograms {
  const [was, is] = [0, 1].map((side) => region.outputs.map((pair) => pair[side]!)) as [string[], string[]]
  const origins = new Map([...copies].map(([node, copy]) => [copy, node]))
  const fused = programOf(after, region.after, is, bodies, origins)
  const inside = new Set(fused.nodes.map((n) => n.name))
  const names = namesBefore(before, matches, origins)
  return withRanks({
    title,
    unfused: programOf(before, region.before, was, bodies),
    fused: renamed(fused, (name) => (inside.has(name) ? name : (names.get(name) ?? name))),
  })
}

/**
 * For a node of the graph after a pass, its name before the pass: another match may have added an input, or a transformer renamed
 * it.
 */
function namesBefore(
  before: Graph,
  matches: readonly RewrittenMatch[],
  origins: ReadonlyMap<Node, Node>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [copy, node] of origins) if (copy.name !== node.name) names.set(copy.name, node.name)
  for (const { outputs, replacedBy } of matches)
    outputs.forEach((was, i) => {
      const is = replacedBy[i]
      if (was && is && !names.has(is) && before.find(is) === null) names.set(is, was)
    })
  return names
}

/** The program with renamed inputs, nodes and outputs. */
export function renamed({ inputs, nodes, outputs }: RunProgram, nameOf: (name: string) => string): RunProgram {
  const value = (v: RunValue): RunValue =>
    mapLeaves(v, (leaf) => (isNodeRef(leaf) ? { node: nameOf(leaf.node) } : leaf))
  return {
    inputs: inputs.map((input) => ({ ...input, name: nameOf(input.name) })),
    nodes: nodes.map((n) => ({ ...withValues(n, value), name: nameOf(n.name) })),
    outputs: outputs.map(nameOf),
  }
}

/** A node with other argument values, also inside its body. */
export function withValues(node: RunNode, change: (value: RunValue) => RunValue): RunNode {
  const { args, kwargs, body } = node
  return {
    ...node,
    args: args.map(change),
    kwargs: Object.fromEntries(Object.entries(kwargs).map(([k, v]) => [k, change(v)])),
    ...(body && { body: { nodes: body.nodes.map((n) => withValues(n, change)), result: change(body.result) } }),
  }
}

/**
 * Nodes in `body`, in graph order; values from outside become inputs.
 * @param origins for nodes that a pass copied: the original, which has the value if the copy has none
 */
export function programOf(
  graph: Graph,
  body: ReadonlySet<string>,
  outputs: readonly string[],
  bodies: OperatorBodies | null = null,
  origins: ReadonlyMap<Node, Node> = new Map(),
): RunProgram {
  const inputMeta = (n: Node | null) => metaOf(n) ?? metaOf((n && origins.get(n)) ?? null)
  const inputs = new Map<string, RunInput>()
  const nodes: RunNode[] = []
  for (const node of graph.nodes()) {
    if (!body.has(node.name)) continue
    for (const input of node.inputs()) {
      if (body.has(input.name) || inputs.has(input.name)) continue
      const meta = inputMeta(input)
      if (meta) inputs.set(input.name, { name: input.name, meta })
    }
    nodes.push(runNode(node, bodies))
  }
  // An output may be an argument passed straight through.
  for (const name of outputs) {
    if (body.has(name) || inputs.has(name)) continue
    const meta = inputMeta(graph.find(name))
    if (meta) inputs.set(name, { name, meta })
  }
  return { inputs: [...inputs.values()], nodes, outputs: [...outputs] }
}

export function runNode(node: Node, bodies: OperatorBodies | null = null): RunNode {
  return {
    ...bodies?.of(node, { node: runNode, value: runValue, meta: metaOf }),
    name: node.name,
    target: operatorBehind(node.target),
    args: node.args.map(runValue),
    kwargs: Object.fromEntries([...node.kwargs].map(([k, v]) => [k, runValue(v)])),
    meta: metaOf(node),
  }
}

/** WGSL has no float64: it runs as float32, on both devices. */
const runDtype = (dtype: string): string => (dtype === 'float64' ? 'float32' : dtype)

function metaOf(node: Node | null): TensorMeta | null {
  const meta = tensorOf(node?.meta.val)
  return meta && { ...meta, dtype: runDtype(meta.dtype) }
}

/** A symbolic size (`s72`), by its expression: a placeholder, or a value read from a tensor outside the program. */
function sizeOf({ op, target, meta }: Node): RunValue | null {
  if ((op !== 'placeholder' && target !== 'aten.sym_size.int') || meta.val?.kind !== 'scalar') return null
  const { value } = meta.val
  return isKind(value, 'sym') ? { sym: value.expr } : null
}

function runValue(arg: Arg): RunValue {
  if (arg === null || typeof arg === 'boolean' || typeof arg === 'number' || typeof arg === 'string') return arg
  if (typeof arg === 'bigint') return Number(arg)
  if (arg instanceof Node) return sizeOf(arg) ?? { node: arg.name }
  if (Array.isArray(arg)) return { list: (arg as readonly Arg[]).map(runValue) }
  const value = arg as Exclude<typeof arg, readonly Arg[]>
  switch (value.kind) {
    case 'tuple':
      return { list: value.items.map(runValue) }
    case 'op':
      return { op: value.name }
    case 'dtype':
      return { dtype: runDtype(value.name) }
    case 'sym':
      return { sym: value.expr }
    case 'opaque':
      return { opaque: value.text }
    default:
      return { opaque: formatArg(arg) }
  }
}
