/** Lint `new-alias`: outputs of a replacement share storage with an input or each other, unlike the pattern's. */
import { code, message, worded, type Message } from '../../base/message'
import { visitNodes, type Graph, type Node, isGetitem, isFunctionalized } from '../../fx'
import type { SchemaLookup } from '../../matcher/schema_facts'
import type { LintFacts } from './facts'
import type { Lint } from './types'

export function newAliases(facts: LintFacts): Lint[] {
  const lints: Lint[] = []
  for (const entry of facts.fired) {
    const replacement = facts.replacements[entry.index]
    if (!entry.searchGraph || !replacement || !('argNames' in entry.registration)) continue
    const was = outputsOf(entry.searchGraph, facts.schemaOf)
    const is = outputsOf(replacement, facts.schemaOf)
    if (was.length !== is.length) continue
    const { argNames, source } = entry.registration
    const tell = (i: number, argument: string | null, what: Message): void => {
      const matches = facts.matchesOf(entry.index)
      lints.push({
        kind: 'new-alias',
        entry: entry.index,
        times: matches.length,
        graphNode: matches[0]?.outputs[i] ?? matches[0]?.node ?? null,
        argument,
        source: is[i]!.node.meta.source ?? source,
        ...worded(
          message`output ${i} of the replacement ${what}, unlike the pattern’s output: writing to one changes the other`,
        ),
      })
    }
    is.forEach(({ base }, i) => {
      if (base.op === 'placeholder' && was[i]!.base.op !== 'placeholder') {
        const at = placeholders(replacement).indexOf(base)
        const argument = argNames[at] ?? base.name
        return tell(i, argument, message`shares storage with its input ${code(argument)}`)
      }
      const other = is.findIndex((o, j) => j < i && o.base === base && was[j]!.base !== was[i]!.base)
      if (other >= 0) tell(i, null, message`shares storage with output ${other}`)
    })
  }
  return lints
}

/** Each output with the node that owns its storage. */
function outputsOf(graph: Graph, schemaOf: SchemaLookup): { node: Node; base: Node }[] {
  const nodes: Node[] = []
  for (const a of graph.output()?.args ?? []) visitNodes(a, (n) => void nodes.push(n))
  return nodes.map((node) => ({ node, base: baseOf(node, schemaOf) }))
}

/**
 * Follows views through the alias annotations of their schemas. The results of auto_functionalized own their storage.
 */
function baseOf(node: Node, schemaOf: SchemaLookup): Node {
  for (let at = node; ;) {
    if (at.op !== 'call_function' || isFunctionalized(at)) return at
    const schema = isGetitem(at) ? null : schemaOf(at.target)
    const position = isGetitem(at) ? viewOfList(at, schemaOf) : (schema?.args.findIndex((a) => a.aliased) ?? -1)
    const input = position < 0 ? undefined : (at.args[position] ?? at.kwargs.get(schema?.args[position]?.name ?? ''))
    if (!(typeof input === 'object' && input !== null && 'users' in input)) return at
    at = input
  }
}

/** An item of a list of views (split, unbind) shares its source's storage; items of other lists do not. */
function viewOfList(item: Node, schemaOf: SchemaLookup): number {
  const list = item.inputs()[0]
  const views = list && !isFunctionalized(list) && schemaOf(list.target)?.args.some((a) => a.aliased && !a.written)
  return views ? 0 : -1
}

const placeholders = (graph: Graph): Node[] => [...graph.nodes()].filter((n) => n.op === 'placeholder')
