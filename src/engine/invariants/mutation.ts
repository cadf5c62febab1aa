/**
 * Kind `mutation`: between AOTDispatch and lowering a graph has no writes except copies into its inputs at the end (the
 * copy_ epilogue). A graph with other writes before the pass is not checked.
 */
import { code, message, nodeAfter, operator, worded } from '../../base/message'
import { looksMutable, Node, isKind } from '../../fx'
import type { SchemaLookup } from '../../matcher'
import type { Blame } from './blame'
import type { Changes } from './changes'
import type { Violation } from './types'

export function noMutation(changes: Changes, schemaOf: SchemaLookup, blame: Blame): Violation[] {
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
