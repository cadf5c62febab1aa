/** Lint `new-alias`: outputs of a replacement share storage with an input or with each other, unlike the pattern's. */
import { code, message } from '../../base/message'
import { visitNodes, type Graph, type Node, isGetitem, isFunctionalized } from '../../fx'
import type { SchemaLookup } from '../../matcher/schema_facts'
import type { Finding, LintFacts } from './facts'

export function* newAliases(facts: LintFacts): Generator<Finding> {
  for (const entry of facts.fired) {
    const replacement = facts.replacements[entry.index]
    if (!entry.searchGraph || !replacement || !('argNames' in entry.registration)) continue
    const was = outputsOf(entry.searchGraph, facts.schemaOf)
    const is = outputsOf(replacement, facts.schemaOf)
    if (was.length !== is.length) continue
    const { argNames } = entry.registration
    for (const [i, { node, base }] of is.entries()) {
      const input = base.op === 'placeholder' && was[i]!.base.op !== 'placeholder'
      const other = is.findIndex((o, j) => j < i && o.base === base && was[j]!.base !== was[i]!.base)
      if (!input && other < 0) continue
      const argument = input ? (argNames[placeholders(replacement).indexOf(base)] ?? base.name) : undefined
      const sharer = argument === undefined ? message`output ${other}` : message`its input ${code(argument)}`
      yield {
        kind: 'new-alias',
        entry,
        graphNode: facts.matchesOf(entry.index)[0]?.outputs[i] ?? undefined,
        argument,
        source: node.meta.source,
        text: message`output ${i} of the replacement shares storage with ${sharer}, unlike the pattern’s output: writing to one changes the other`,
      }
    }
  }
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
