/**
 * Graphs recorded before Inductor's decompositions. Traced patterns contain the operators that fwd_only records: ATen operators
 * after the decompositions. They never match Dynamo's functions and methods, nor an operator that is decomposed.
 */
import { isOverload, type Node, packetOf } from '../../fx'
import type { EntryView } from '../../matcher/registry'
import { makeCause, type Cause } from '../causes'
import type { PassIndex } from '../pass_index'
import { otherCall } from '../align/subgraph_rules'
import type { Reason } from './reason'
import { isNative } from './native'
import { bareName } from './operators'

type Level = Extract<Reason, { kind: 'graph-level' }>['level']

/** @param entries traced patterns that did not fire @returns null if the graph's level does not keep these patterns from matching */
export function graphLevelCause(entries: readonly EntryView[], facts: PassIndex): Cause | null {
  const patterns = entries.map(tracedOperators).filter((targets) => targets.size > 0)
  if (patterns.length === 0) return null
  const { torch, aten } = callsBefore(facts, patterns)
  const level: Level = torch.length > 0 ? 'torch' : 'aten'
  const nodes = level === 'torch' ? torch : aten
  if (nodes.length === 0) return null
  return makeCause({
    graph: nodes[0]!,
    reason: {
      kind: 'graph-level',
      level,
      ...(level === 'torch' && !isOfDynamo(facts) && { dynamo: false }),
      calls: counted(nodes),
      patterns: patterns.length,
    },
    expected: 'operators that fwd_only records',
    found: callOf(nodes[0]!),
  })
}

/** Dynamo names a graph's inputs after those of the frame: `L_x_`, `l_x_`, `s77`. */
const isOfDynamo = ({ index }: PassIndex): boolean =>
  index.nodes.some((n) => n.op === 'placeholder' && /^(?:[Ll]_\w+_|s\d+)$/.test(n.target))

/** True for a pattern that SubgraphMatcher searches. */
export const isSubgraph = (entry: EntryView | undefined): boolean =>
  entry !== undefined && 'subgraph' in entry.registration && entry.registration.subgraph !== undefined

/** A SubgraphMatcher pattern with only torch functions, for a graph with only ATen operators. */
export function patternLevelCause(entry: EntryView, { pass, index }: PassIndex): Cause | null {
  if (!isSubgraph(entry) || !entry.searchGraph) return null
  const calls = [...entry.searchGraph.nodes()].filter((n) => n.op.startsWith('call'))
  if (calls.length === 0 || calls.some((n) => isOverload(n.target) || index.targets.has(n.target))) return null
  const aten = [...pass.graph.nodes()].filter(
    (n) => n.op === 'call_function' && isOverload(n.target) && isNative(n.target),
  )
  const names = calls.map((n) => bareName(n.target))
  const like = aten.find((n) => names.includes(bareName(n.target))) ?? aten[0]
  if (!like) return null
  const shown = [...new Set(calls.map(callOf))]
  return makeCause({
    graph: like,
    reason: {
      kind: 'pattern-level',
      pattern: entry.registration.title,
      calls: shown,
      found: like.target,
      node: like.name,
    },
    expected: shown.join(', '),
    entry: entry.index,
  })
}

/** The last call of a SubgraphMatcher pattern that the graph has only in another form: as a method, as a module. */
export function otherFormCause(entry: EntryView, facts: PassIndex): Cause | null {
  const known = isSubgraph(entry) ? facts.alignableOf(entry.index) : null
  const root = known?.pattern.outputs[0]
  const name = root && bareName(root.target)
  const like = root && facts.index.nodes.find((n) => n.op.startsWith('call') && bareName(n.target) === name)
  const cause = like ? otherCall(root, like) : null
  return cause && makeCause({ ...cause, entry: entry.index }, (p) => known!.pattern.indexOf(p))
}

/** True for a pattern of ATen operators; one of torch functions matches Dynamo's graphs. */
export const isTraced = (entry: EntryView): boolean => tracedOperators(entry).size > 0

function tracedOperators({ searchGraph: graph }: EntryView): ReadonlySet<string> {
  if (!graph) return new Set()
  const targets = [...graph.nodes()].filter((n) => n.op === 'call_function').map((n) => n.target)
  return new Set(targets.some((t) => isOverload(t) && isNative(t)) ? targets : [])
}

/** Nodes of either level. An ATen node counts only if a pattern contains all operators that it decomposes into. */
function callsBefore({ pass }: PassIndex, patterns: readonly ReadonlySet<string>[]): Record<Level, Node[]> {
  const found: Record<Level, Node[]> = { torch: [], aten: [] }
  const decomposes = new Map<string, boolean>()
  for (const node of pass.graph.nodes()) {
    if (isTorchCall(node)) found.torch.push(node)
    if (node.op !== 'call_function' || !isOverload(node.target) || !isNative(node.target)) continue
    // Inductor turns view into reshape after the decompositions.
    if (packetOf(node.target) === 'aten.reshape') continue
    let answer = decomposes.get(node.target)
    if (answer === undefined) {
      const made = pass.decomposition?.(node) ?? []
      answer = made.length > 0 && patterns.some((targets) => made.every((target) => targets.has(target)))
      decomposes.set(node.target, answer)
    }
    if (answer) found.aten.push(node)
  }
  return found
}

/** A call that only a graph before AOTAutograd holds. Arithmetic on sizes stays in later graphs. */
const isTorchCall = (node: Node): boolean =>
  node.op === 'call_method' ||
  node.op === 'call_module' ||
  (node.op === 'call_function' &&
    (/^torch\.(?!sym_)/.test(node.target) ||
      (/^operator\.(?!getitem)/.test(node.target) && node.meta.val?.kind === 'tensor')))

const callOf = (node: Node): string =>
  node.op === 'call_method' ? `.${node.target}` : node.op === 'call_module' ? `self.${node.target}` : node.target

function counted(nodes: readonly Node[]): { target: string; times: number; node: string }[] {
  const byTarget = new Map<string, { target: string; times: number; node: string }>()
  for (const node of nodes) {
    const target = callOf(node)
    const known = byTarget.get(target)
    if (known) known.times++
    else byTarget.set(target, { target, times: 1, node: node.name })
  }
  return [...byTarget.values()].sort((a, b) => b.times - a.times)
}
