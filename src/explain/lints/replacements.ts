/** Lints of replacements: the order of parameters and nodes, undeclared operators, unwritten memory, and constants. */
import { code, message, operator, nodeAfter } from '../../base/message'
import { type Arg, type Graph, type Node, isGetitem, operatorOf, packetOf, isFunctionalized } from '../../fx'
import { pyRepr } from '../../matcher/py'
import type { SchemaLookup } from '../../matcher/schema_facts'
import { withTrait } from '../../ops/traits'
import type { Finding, LintFacts } from './facts'

/**
 * Lints of constants in a replacement's calls. `other-reduction`: it reduces over the ranks with another operation than the
 * pattern. `needless-output`: its `output_mask` requests an output that nothing uses, for which the kernel may lack inputs.
 */
export function* replacementCalls(facts: LintFacts): Generator<Finding> {
  for (const entry of facts.fired) {
    const replacement = facts.replacements[entry.index]
    if (!replacement || !entry.searchGraph) continue
    for (const wrong of otherReductions(entry.searchGraph, replacement, facts.schemaOf)) yield { entry, ...wrong }
    for (const wrong of needlessOutputs(replacement, facts.schemaOf)) yield { entry, ...wrong }
  }
}

type Wrong = Omit<Finding, 'entry'>

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
        source: call.meta.source,
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
      source: call.meta.source,
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

/** Lint `argument-order`: a replacement that has the search function's parameters in another order. */
export function* reorderedArguments({ fired }: LintFacts): Generator<Finding> {
  for (const entry of fired) {
    const { registration } = entry
    if (!('argNames' in registration) || !registration.replaceArgNames) continue
    const { argNames, replaceArgNames } = registration
    const at = replaceArgNames.findIndex((name, i) => name !== argNames[i])
    const sameNames = replaceArgNames.length === argNames.length && replaceArgNames.every((n) => argNames.includes(n))
    if (at < 0 || !sameNames) continue
    yield {
      kind: 'argument-order',
      entry,
      argument: replaceArgNames[at]!,
      text: message`the replacement function takes (${replaceArgNames.join(', ')}) and the search function (${argNames.join(', ')}), and PyTorch passes arguments by position: its ${code(replaceArgNames[at]!)} is the pattern’s ${code(argNames[at]!)}. Give both functions the same order`,
    }
  }
}

/**
 * Lint `used-before-defined`: a value used before its definition right after a pass. PyTorch inserts a replacement at the match,
 * and leaves sorting (stable_topological_sort) and linting the graph to the owner of the pass.
 */
export function* usedBeforeDefined(facts: LintFacts): Generator<Finding> {
  for (const entry of facts.fired)
    for (const match of facts.matchesOf(entry.index)) {
      const wrong = firstOf(match.added.flatMap((n) => facts.nodeAfter(n) ?? []))
      if (!wrong) continue
      yield {
        kind: 'used-before-defined',
        entry,
        key: '',
        graphNode: match.node,
        text: message`after the replacement, ${nodeAfter(wrong.user.name)} precedes ${nodeAfter(wrong.value.name)}, which it uses: the graph must be sorted (${code('stable_topological_sort')}) before it can be linted or run`,
      }
    }
}

function firstOf(added: readonly Node[]): { user: Node; value: Node } | null {
  for (const node of added) {
    const late = node.inputs().find((i) => node.isBefore(i))
    if (late) return { user: node, value: late }
    const early = [...node.users].find((u) => u.isBefore(node))
    if (early) return { user: early, value: node }
  }
  return null
}

/** Lint `undeclared-operator`: the replacement calls an operator that no file declares and the graph does not have. */
export function* undeclaredOperators(facts: LintFacts): Generator<Finding> {
  const guesses = facts.guesses?.()
  if (!guesses || guesses.size === 0) return
  const inGraph = new Set([...facts.before.nodes()].map((n) => n.target))
  for (const entry of facts.fired) {
    const calls = [...(facts.replacements[entry.index]?.nodes() ?? [])]
    const call = calls.find((n) => n.op === 'call_function' && guesses.has(n.target) && !inGraph.has(n.target))
    if (!call) continue
    yield {
      kind: 'undeclared-operator',
      entry,
      source: call.meta.source,
      text: message`the replacement calls ${operator(operatorOf(call))}, which no file declares: PyTorch raises AttributeError there. Write ${code(guesses.get(call.target)!.declaration)} at the top of the file, or import the module that declares it`,
    }
  }
}

const isUnwritten = withTrait('unwritten')
/** Operators that use a buffer only for its shape, or to write part of it. */
const WRITES =
  /^aten\.(?:copy|fill|zero|full_like|zeros_like|ones_like|empty_like|new_\w+|slice_scatter|select_scatter|as_strided_scatter|index_put|scatter\w*|masked_fill|sym_\w+)$/

/**
 * Lint `unwritten-memory`: the replacement reads a buffer of aten.empty that nothing has written. Its values are arbitrary, so a
 * test on fresh memory may pass by chance.
 */
export function* unwrittenMemory(facts: LintFacts): Generator<Finding> {
  for (const entry of facts.fired) {
    const replacement = facts.replacements[entry.index]
    if (!replacement || !entry.searchGraph || readsOf(entry.searchGraph, facts.schemaOf).length > 0) continue
    for (const { buffer, reader } of readsOf(replacement, facts.schemaOf))
      if (!facts.guesses?.().has(operatorOf(reader)))
        yield {
          kind: 'unwritten-memory',
          entry,
          source: reader.meta.source ?? buffer.meta.source,
          text: message`in the replacement, ${operator(operatorOf(reader))} reads memory of ${operator(buffer.target)} that nothing has written`,
        }
  }
}

/** Each buffer that is read before it is written, with its reader. */
function readsOf(graph: Graph, schemaOf: SchemaLookup): { buffer: Node; reader: Node }[] {
  return [...graph.nodes()].flatMap((buffer) => {
    if (buffer.op !== 'call_function' || !isUnwritten(buffer.target)) return []
    const reader = readerOf(buffer, graph, schemaOf)
    return reader ? [{ buffer, reader }] : []
  })
}

/** The first user of a buffer, in graph order, if it reads; null if it writes. Users of views count. */
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
    // It is in a list: an argument of a foreach operator, or a base of auto_functionalized_v2.
    if ((names.length === 0 ? schema.args : names).some((a) => a.written)) return null
    if (names.some((a) => a.aliased)) views.add(user)
    else if (names.length > 0) return user
  }
  return null
}
