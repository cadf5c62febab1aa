/**
 * Checks the invariants of a pass on the nodes that it changed. The check prefers a missed violation to a false
 * positive: an operator without a rule passes, and a rule applies to a node only if it reproduces the node's original
 * metadata.
 */
import type { AppliedMatch, SchemaLookup } from '../../matcher'
import type { Tracer } from '../../trace/types'
import { Blame } from './blame'
import { type Watch, type Changes, argumentsNow, type Arguments } from './changes'
import { metadataKept } from './metadata'
import { Recompute, type ValOf } from './recompute'
import type { Violation } from './types'
import { code, message, node as nodePart, nodeAfter, worded, operator, type Message } from '../../base/message'
import { visitNodes, Node, looksMutable, isKind, isOverload, isGetitem, isFunctionalized } from '../../fx'

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

/**
 * Kind `alias`: no output of the graph shares storage with an input, or with another output, unless it did before the
 * pass. Storage is tracked through views by running each operator on fake tensors.
 */
function aliasesKept(changes: Changes, recompute: Recompute, schemaOf: SchemaLookup, blame: Blame): Violation[] {
  const output = changes.graph.output()
  if (!output) return []
  const was = nodesIn(changes.argumentsBefore(output))
  const is = nodesIn(argumentsNow(output))
  if (was.length !== is.length) return []
  const now = new Storages(argumentsNow, (n) => n.meta.val, recompute, schemaOf)
  const before = new Storages(changes.argumentsBefore, changes.valBefore, recompute, schemaOf)
  const found: Violation[] = []
  const tell = (i: number, shared: Node, what: Message): void => {
    const [old, node] = [was[i]!, is[i]!]
    found.push({
      kind: 'alias',
      node: node.name,
      before: old.name,
      match: blame.ofNew(node.name) ?? blame.ofOld(old.name) ?? blame.only(),
      was: 'its own storage',
      is: `the storage of ${shared.name}`,
      ...worded(
        message`output ${i} of the graph (${nodeAfter(node.name)}) is now ${what}, and had its own storage before: writing to one changes the other`,
      ),
    })
  }
  /** The first output in each storage. */
  const first = new Map<Node, number>()
  for (const [i, node] of is.entries()) {
    for (const base of now.of(node) ?? []) {
      const other = first.get(base)
      if (other === undefined) first.set(base, i)
      if (base.op === 'placeholder') {
        if (before.of(was[i]!)?.has(base) === false)
          tell(
            i,
            base,
            node === base
              ? message`the input ${nodeAfter(base.name)} itself`
              : message`in the storage of the input ${nodeAfter(base.name)}`,
          )
      } else if (other !== undefined && disjoint(before.of(was[i]!), before.of(was[other]!))) {
        const same = is[other] === node
        tell(
          i,
          is[other]!,
          same
            ? message`the same node as output ${other}`
            : message`in the storage of output ${other} (${nodeAfter(is[other]!.name)})`,
        )
      }
    }
  }
  return found
}

/** True if both are known and are disjoint. */
const disjoint = (a: ReadonlySet<Node> | null, b: ReadonlySet<Node> | null): boolean =>
  a !== null && b !== null && ![...a].some((n) => b.has(n))

function nodesIn([args]: Arguments): Node[] {
  const nodes: Node[] = []
  for (const a of args) visitNodes(a, (n) => void nodes.push(n))
  return nodes
}

/** The nodes whose storage a node's value shares. */
class Storages {
  private readonly known = new Map<Node, ReadonlySet<Node> | null>()

  constructor(
    private readonly argumentsOf: (node: Node) => Arguments,
    private readonly valOf: ValOf,
    private readonly recompute: Recompute,
    private readonly schemaOf: SchemaLookup,
  ) {}

  /** Null: unknown. */
  of(node: Node): ReadonlySet<Node> | null {
    let found = this.known.get(node)
    if (found === undefined) {
      // Unknown during the search: a handler may have created a cycle.
      this.known.set(node, null)
      this.known.set(node, (found = this.find(node)))
    }
    return found
  }

  private find(node: Node): ReadonlySet<Node> | null {
    if (node.op === 'placeholder' || node.op === 'get_attr') return new Set([node])
    if (node.op !== 'call_function') return null
    const inputs = this.inputsOf(node)
    if (isGetitem(node)) return this.ofItem(node, inputs[0])
    if (isFunctionalized(node)) return new Set([node])
    if (!isOverload(node.target)) return null
    const schema = this.schemaOf(node.target)
    if (!schema) return null
    if (!schema.args.some((a) => a.aliased)) return new Set([node])
    const made = this.recompute.of(node, this.argumentsOf(node), this.valOf)
    if (!made || 'raised' in made) return null
    const all = new Set<Node>()
    for (const at of made.shares) {
      const base = this.of(inputs[at]!)
      if (!base) return null
      for (const n of base) all.add(n)
    }
    return all.size > 0 ? all : new Set([node])
  }

  /** An item of a list of views (split, unbind) shares their storage; items of other packed values own theirs. */
  private ofItem(node: Node, packed: Node | undefined): ReadonlySet<Node> | null {
    if (!packed) return null
    if (this.valOf(packed)?.kind === 'tensor') return null
    const isView = !isFunctionalized(packed) && this.schemaOf(packed.target)?.args.some((a) => a.aliased && !a.written)
    return isView ? this.of(packed) : new Set([node])
  }

  /** Distinct nodes, in the order of Recompute's indices. */
  private inputsOf(node: Node): Node[] {
    const [args, kwargs] = this.argumentsOf(node)
    const seen = new Set<Node>()
    for (const a of [...args, ...kwargs.values()]) visitNodes(a, (n) => seen.add(n))
    return [...seen]
  }
}
