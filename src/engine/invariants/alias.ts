/**
 * Kind `alias`: no output of the graph shares storage with an input, or with another output, unless it did before the
 * pass. Storage is tracked through views by running each operator on fake tensors.
 */
import { message, nodeAfter, worded, type Message } from '../../base/message'
import { isOverload, Node, visitNodes, isGetitem, isFunctionalized } from '../../fx'
import type { SchemaLookup } from '../../matcher'
import type { Blame } from './blame'
import { argumentsNow, type Arguments, type Changes } from './changes'
import type { Recompute, ValOf } from './recompute'
import type { Violation } from './types'

export function aliasesKept(changes: Changes, recompute: Recompute, schemaOf: SchemaLookup, blame: Blame): Violation[] {
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
