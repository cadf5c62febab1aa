/**
 * Checks the invariants of a pass on the nodes that it changed. The check prefers a missed violation to a false
 * positive: an operator without a rule passes, and a rule applies to a node only if it reproduces the node's original
 * metadata.
 */
import type { AppliedMatch, SchemaLookup } from '../../matcher'
import type { Tracer } from '../../trace/types'
import { aliasesKept } from './alias'
import { Blame } from './blame'
import type { Watch, Changes } from './changes'
import { metadataKept } from './metadata'
import { Recompute } from './recompute'
import type { Violation } from './types'
import { code, message, node as nodePart, nodeAfter, worded, operator } from '../../base/message'
import { visitNodes, Node, looksMutable, isKind } from '../../fx'

/** Maximum number of violations in a report; further ones repeat in each layer. */
const MAX_VIOLATIONS = 200

/** @param watch the graph before the pass @param matches the pass's replacements */
export function findViolations(watch: Watch, matches: readonly AppliedMatch[], tracer: Tracer): Violation[] {
  const changes = watch.changes()
  if (!changes) return []
  const schemaOf: SchemaLookup = (target) => tracer.schemaOf(target)
  const blame = new Blame(matches)
  const recompute = new Recompute(tracer)
  return [
    ...metadataKept(changes, recompute, blame),
    ...aliasesKept(changes, recompute, schemaOf, blame),
    ...noMutation(changes, schemaOf, blame),
    ...orderKept(changes, blame),
  ].slice(0, MAX_VIOLATIONS)
}

/**
 * Kind `order`: the graph has a topological order and uses only its own nodes. A replacement above its input is no
 * violation: PyTorch inserts it there, and Inductor runs stable_topological_sort before lint; a lint reports it.
 */
function orderKept({ added, changed }: Changes, blame: Blame): Violation[] {
  return [...added, ...changed.map((c) => c.node)].flatMap((node): Violation[] => {
    const wrong = wrongInput(node)
    if (!wrong) return []
    const { input, gone } = wrong
    return [
      {
        kind: 'order',
        node: node.name,
        before: gone ? input.name : null,
        match: blame.ofNew(node.name) ?? blame.ofNew(input.name) ?? blame.ofOld(input.name) ?? blame.only(),
        was: 'a graph without cycles',
        is: gone ? `a use of ${input.name}, which is gone` : `a cycle through ${input.name}`,
        ...worded(
          gone
            ? message`${nodeAfter(node.name)} uses ${nodePart(input.name)}, which was removed from the graph`
            : input === node
              ? message`${nodeAfter(node.name)} uses itself: ${code('replace_all_uses_with')} replaces the new node’s own input too`
              : message`${nodeAfter(node.name)} uses ${nodeAfter(input.name)}, which is computed from it: no order sorts a graph with a cycle`,
        ),
      },
    ]
  })
}

/** Returns an input that is not in the graph, or that comes after the node and depends on it. */
function wrongInput(node: Node): { input: Node; gone: boolean } | null {
  let wrong: { input: Node; gone: boolean } | null = null
  const look = (input: Node): void => {
    if (wrong) return
    if (input.erased) wrong = { input, gone: true }
    else if (!input.isBefore(node) && needs(input, node)) wrong = { input, gone: false }
  }
  for (const a of node.args) visitNodes(a, look)
  for (const a of node.kwargs.values()) visitNodes(a, look)
  return wrong
}

function needs(node: Node, other: Node): boolean {
  const seen = new Set<Node>([node])
  for (const n of seen) {
    if (n === other) return true
    for (const input of n.inputs()) seen.add(input)
  }
  return false
}

/**
 * Kind `mutation`: between AOTDispatch and lowering a graph has no writes except copies into its inputs at the end (the
 * copy_ epilogue). A graph with other writes before the pass is not checked.
 */
function noMutation(changes: Changes, schemaOf: SchemaLookup, blame: Blame): Violation[] {
  const writes = (n: Node): boolean =>
    n.op === 'call_function' && (schemaOf(n.target)?.mutable ?? looksMutable(n.target))
  const writing = changes.added.filter(writes)
  if (writing.length === 0) return []
  const epilogue = new Set(epilogueOf([...changes.graph.nodes()]))
  const unwrapped = unwrappedBy(changes)
  const within = writing.filter((n) => !epilogue.has(n) && !unwrapped.has(n.target))
  if (within.length === 0) return []
  const epilogueBefore = new Set(epilogueOf(changes.before))
  if (changes.before.some((n) => writes(n) && !epilogueBefore.has(n))) return []
  return within.map((n) => ({
    kind: 'mutation',
    node: n.name,
    before: null,
    match: blame.ofNew(n.name),
    was: 'a graph that writes to nothing before its end',
    is: n.target,
    ...worded(
      message`${nodeAfter(n.name)} (${operator(n.target)}) writes to its argument in the middle of the graph, which wrote to nothing before: passes and Inductor follow data flow alone and may reorder it; wrap it in ${code('auto_functionalized')}`,
    ),
  }))
}

/**
 * Operators that the pass unwrapped from auto_functionalized. The last pass of a pipeline does this on purpose (vLLM's
 * FixFunctionalizationPass, Inductor's decompose_auto_functionalized).
 */
function unwrappedBy(changes: Changes): Set<string> {
  const gone = changes.before.filter((n) => n.erased && /^higher_order\.auto_functionalized(_v2)?$/.test(n.target))
  return new Set(
    gone.flatMap((n) => {
      const [[op]] = changes.argumentsBefore(n)
      return isKind(op, 'op') ? [op.name] : []
    }),
  )
}

/** The copies into inputs at the end of a graph. */
function epilogueOf(nodes: readonly Node[]): Node[] {
  const found: Node[] = []
  for (let i = nodes.length - 1; i >= 0; i--) {
    const n = nodes[i]!
    if (n.op === 'output') continue
    const [into] = n.args
    if (n.target !== 'aten.copy_.default' || !(into instanceof Node) || into.op !== 'placeholder') break
    found.push(n)
  }
  return found
}
