/** Finds the result of Inductor's decomposition of a pattern's operator in a graph. */
import { Node, packetOf, type Arg, type Graph, type Val } from '../../fx'
import { withReason, type Cause, type CauseParts } from '../causes'
import type { NearMissFold } from '../near_misses'
import type { PassIndex } from '../pass_index'
import { producerOf } from './node_terms'
import type { Reason } from './reason'

/** Maximum number of input kinds for which the operator is decomposed: its decomposition depends on their dtype and rank. */
const MAX_INPUTS = 6

/** The graph contains the whole decomposition of one of the pattern's operators. */
export function byInductor(call: Node, facts: PassIndex): CauseParts | null {
  const found = decompositionIn(call, facts.index.nodes, facts)
  return (
    found && {
      reason: found.reason,
      pattern: call,
      graph: found.at,
      expected: producerOf(call),
      found: found.at.target,
    }
  )
}

/** The same near miss. Causes that guessed one of Inductor's decompositions from its steps now name the exact nodes. */
export function withDecompositions(fold: NearMissFold, facts: PassIndex): NearMissFold {
  const known = facts.alignableOf(fold.entry)
  if (!known || !fold.causes?.some(isGuess)) return fold
  const causes = fold.causes.map((cause) => {
    const at = isGuess(cause) && cause.graphNode !== null ? facts.index.byName.get(cause.graphNode) : undefined
    if (!at) return cause
    const calls = known.pattern.calls.filter((n) => producerOf(n) === cause.expected)
    const found = calls.flatMap((call) => decompositionIn(call, [at], facts) ?? [])[0]
    return found ? withReason(cause, found.reason) : cause
  })
  return { ...fold, causes }
}

const isGuess = ({ reason }: Cause): boolean => reason.kind === 'decomposed-in-graph' && !reason.custom

interface Decomposed {
  at: Node
  reason: Reason
}

/** @param ends nodes that may be the last of the decomposition */
function decompositionIn(call: Node, ends: readonly Node[], { pass, index }: PassIndex): Decomposed | null {
  if (call.op !== 'call_function' || !pass.decomposed) return null
  for (const input of inputsOf(index.nodes)) {
    const graph = pass.decomposed(call, input)
    const end = graph && outputOf(graph)
    if (!end) continue
    // Tracing begins with the inputs of the call, in order.
    const given = [...graph.nodes()].filter((n) => n.op === 'placeholder')
    const order = [...new Set(call.inputs())]
    for (const at of ends) {
      const pairs = new Map<Node, Node>()
      if (!sameCall(end, at, pairs)) continue
      const nodes = new Set([...pairs].filter(([made]) => made.op === 'call_function').map(([, node]) => node))
      const inductor = call.args.map((a) =>
        a instanceof Node ? (pairs.get(given[order.indexOf(a)]!)?.name ?? null) : null,
      )
      const names = index.nodes.filter((n) => nodes.has(n)).map((n) => n.name)
      return {
        at,
        reason: { kind: 'decomposed-in-graph', operator: producerOf(call), custom: false, nodes: names, inductor },
      }
    }
  }
  return null
}

/** One value of each dtype and rank among the tensors of a graph. */
function inputsOf(nodes: readonly Node[]): Val[] {
  const found = new Map<string, Val>()
  for (const { meta } of nodes)
    if (meta.val?.kind === 'tensor') {
      const key = `${meta.val.dtype} ${meta.val.shape.length}`
      if (!found.has(key)) found.set(key, meta.val)
      if (found.size === MAX_INPUTS) break
    }
  return [...found.values()]
}

/** The call that a graph with one output returns. */
function outputOf(graph: Graph): Node | null {
  const returned = graph.output()?.args[0]
  const only = Array.isArray(returned) && returned.length === 1 ? (returned as readonly Arg[])[0] : returned
  return only instanceof Node && only.op === 'call_function' ? only : null
}

/** Compares two computations upwards from their last call. Sizes are not compared, because they belong to another input. */
function sameCall(made: Node, node: Node, pairs: Map<Node, Node>): boolean {
  const known = pairs.get(made)
  if (known) return known === node
  pairs.set(made, node)
  if (made.op === 'placeholder') return true
  return (
    packetOf(made.target) === packetOf(node.target) &&
    made.args.length === node.args.length &&
    made.args.every((a, i) => sameArgument(a, node.args[i]!, pairs))
  )
}

function sameArgument(made: Arg, arg: Arg, pairs: Map<Node, Node>): boolean {
  if (made instanceof Node) return arg instanceof Node && sameCall(made, arg, pairs)
  if (arg instanceof Node) return false
  return !Number.isFinite(made) || Number.isInteger(made) || made === arg
}
