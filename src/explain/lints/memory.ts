/**
 * Lint `unwritten-memory`: the replacement reads a buffer of aten.empty that nothing has written. The values there are
 * whatever was in that memory: a test on fresh memory may pass.
 */
import { message, operator, worded } from '../../base/message'
import { type Graph, type Node, packetOf, operatorOf, isFunctionalized } from '../../fx'
import type { SchemaLookup } from '../../matcher/schema_facts'
import { withTrait } from '../../ops/traits'
import type { LintFacts } from './facts'
import type { Lint } from './types'

const isUnwritten = withTrait('unwritten')
/** Operators that take a buffer for its shape, or to write a part of it. */
const WRITES =
  /^aten\.(?:copy|fill|zero|full_like|zeros_like|ones_like|empty_like|new_\w+|slice_scatter|select_scatter|as_strided_scatter|index_put|scatter\w*|masked_fill|sym_\w+)$/

export function unwrittenMemory(facts: LintFacts): Lint[] {
  return facts.fired.flatMap((entry): Lint[] => {
    const replacement = facts.replacements[entry.index]
    if (!replacement || !entry.searchGraph || readsOf(entry.searchGraph, facts.schemaOf).length > 0) return []
    const matches = facts.matchesOf(entry.index)
    const declared = ({ reader }: { reader: Node }) => !facts.guesses?.().has(operatorOf(reader))
    return readsOf(replacement, facts.schemaOf)
      .filter(declared)
      .map(({ buffer, reader }) => ({
        kind: 'unwritten-memory',
        entry: entry.index,
        times: matches.length,
        graphNode: matches[0]?.node ?? null,
        argument: null,
        source: reader.meta.source ?? buffer.meta.source ?? entry.registration.source,
        ...worded(
          message`in the replacement, ${operator(operatorOf(reader))} reads memory of ${operator(buffer.target)} that nothing has written`,
        ),
      }))
  })
}

/** Each buffer that is read before a write, with its reader. */
function readsOf(graph: Graph, schemaOf: SchemaLookup): { buffer: Node; reader: Node }[] {
  return [...graph.nodes()].flatMap((buffer) => {
    if (buffer.op !== 'call_function' || !isUnwritten(buffer.target)) return []
    const reader = readerOf(buffer, graph, schemaOf)
    return reader ? [{ buffer, reader }] : []
  })
}

/** The first user of a buffer, in the order of the graph, if it reads; null if it writes. A user of a view counts. */
function readerOf(buffer: Node, graph: Graph, schemaOf: SchemaLookup): Node | null {
  const views = new Set<unknown>([buffer])
  for (const user of graph.nodes()) {
    if (user.op !== 'call_function' || !user.inputs().some((n) => views.has(n))) continue
    if (WRITES.test(packetOf(user.target))) continue
    const schema = schemaOf(operatorOf(user))
    // It may write.
    if (!schema) return null
    const wrapped = isFunctionalized(user)
    const names = schema.args.filter((a, i) =>
      [wrapped ? undefined : user.args[i], user.kwargs.get(a.name)].some((arg) => views.has(arg)),
    )
    // It is in a list: one of a foreach operator, or of the bases of auto_functionalized_v2.
    if ((names.length === 0 ? schema.args : names).some((a) => a.written)) return null
    if (names.some((a) => a.aliased)) views.add(user)
    else if (names.length > 0) return user
  }
  return null
}
