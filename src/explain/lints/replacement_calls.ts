/**
 * Lints of constants in the calls of a replacement. `other-reduction`: it reduces over the ranks by another operation than the pattern.
 * `needless-output`: its `output_mask` asks for an output that nothing uses, for which the kernel may lack inputs.
 */
import { code, message, operator, worded, type Message } from '../../base/message'
import { type Arg, type Graph, type Node, isGetitem, operatorOf } from '../../fx'
import { pyRepr } from '../../matcher/py'
import type { SchemaLookup } from '../../matcher/schema_facts'
import { withTrait } from '../../ops/traits'
import type { LintFacts } from './facts'
import type { Lint, LintKind } from './types'

/** A call of the replacement, with what is wrong and the constant that would be right. */
interface Wrong {
  call: Node
  kind: LintKind
  argument: string
  text: Message
  literal: NonNullable<Lint['literal']>
}

export function replacementCalls(facts: LintFacts): Lint[] {
  return facts.fired.flatMap((entry): Lint[] => {
    const replacement = facts.replacements[entry.index]
    if (!replacement || !entry.searchGraph) return []
    const matches = facts.matchesOf(entry.index)
    const wrong = [
      ...otherReductions(entry.searchGraph, replacement, facts.schemaOf),
      ...needlessOutputs(replacement, facts.schemaOf),
    ]
    return wrong.map(({ call, kind, argument, text, literal }) => ({
      kind,
      entry: entry.index,
      times: matches.length,
      graphNode: matches[0]?.node ?? null,
      argument,
      source: call.meta.source ?? entry.registration.source,
      literal,
      ...worded(text),
    }))
  })
}

const isSum = withTrait('sums')
const REDUCE_OP = 'reduce_op'

function* otherReductions(search: Graph, replacement: Graph, schemaOf: SchemaLookup): Generator<Wrong> {
  const reductions = (graph: Graph): { node: Node; by: string }[] =>
    callsOf(graph).flatMap((node) => {
      const given = argumentOf(node, REDUCE_OP, schemaOf)
      if (typeof given === 'string') return [{ node, by: given }]
      return isSum(operatorOf(node)) ? [{ node, by: 'sum' }] : []
    })
  const [first, ...more] = reductions(search)
  if (!first || more.some(({ by }) => by !== first.by)) return
  for (const { node: call, by } of reductions(replacement))
    if (by !== first.by)
      yield {
        call,
        kind: 'other-reduction',
        argument: REDUCE_OP,
        literal: { is: pyRepr(by), asks: pyRepr(first.by) },
        text: message`in the replacement, ${operator(operatorOf(call))} reduces over the ranks by ${code(by)}; in the pattern, ${operator(operatorOf(first.node))} by ${code(first.by)}`,
      }
}

const MASK = 'output_mask'

function* needlessOutputs(replacement: Graph, schemaOf: SchemaLookup): Generator<Wrong> {
  for (const call of callsOf(replacement)) {
    const mask = argumentOf(call, MASK, schemaOf)
    const items = [...call.users.keys()].map((u) => (isGetitem(u) ? Number(u.args[1]) : null))
    if (!Array.isArray(mask) || items.length === 0 || items.includes(null)) continue
    const used = mask.map((asked, i) => asked === true && items.includes(i))
    const at = mask.findIndex((asked, i) => asked === true && !used[i])
    if (at < 0) continue
    yield {
      call,
      kind: 'needless-output',
      argument: MASK,
      literal: { is: pyRepr(mask), asks: pyRepr(used) },
      text: message`in the replacement, ${operator(operatorOf(call))} asks for output ${at} by ${code(`${MASK}=${pyRepr(mask)}`)}, and nothing uses it`,
    }
  }
}

const callsOf = (graph: Graph): Node[] => [...graph.nodes()].filter((n) => n.op === 'call_function')

function argumentOf(node: Node, name: string, schemaOf: SchemaLookup): Arg | undefined {
  const at = schemaOf(operatorOf(node))?.args.findIndex((a) => a.name === name) ?? -1
  return node.kwargs.get(name) ?? (at < 0 ? undefined : node.args[at])
}
