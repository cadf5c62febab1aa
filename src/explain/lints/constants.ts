/** Lints `dropped-constant`: for patterns, and for literals that the matcher ignores. */
import { code, listedParts, message, operator, node } from '../../base/message'
import { Node, printGraph, visitNodes, type Arg, type Graph, operatorOf, isFunctionalized, isGetitem } from '../../fx'
import { pyEqual, pyRepr } from '../../matcher/py'
import type { EntryView } from '../../matcher/registry'
import { isNative } from '../reasons/native'
import { matchedNodes, type Finding, type LintFacts } from './facts'
import { sameLiteral } from '../align/subgraph_rules'

/** A constant argument of a call in the search graph. */
interface ConstantArgument {
  /** Node index in the search graph, and the argument path. */
  key: string
  node: Node
  /** The keyword, the schema's name for the position, or the position. */
  name: string
  value: Arg
}

/**
 * Lint `dropped-constant`: a constant that a pattern requires and its replacement does not receive. Either several
 * registrations differ in the constant and share a replacement, or a flag of a custom operator is on and has no
 * counterpart.
 */
export function* droppedConstants(facts: LintFacts): Generator<Finding> {
  const places = new Map(facts.entries.map((e) => [e.index, constantsOf(facts, e)]))
  const axes = new Map<string, { place: ConstantArgument; entries: Set<EntryView>; values: Set<string> }>()
  for (const group of sameReplacements(facts))
    for (const first of places.get(group[0]!.index)!) {
      const values = new Set(group.map((e) => valueText(places.get(e.index)!.find((p) => p.key === first.key))))
      if (values.size < 2 || ignorable(first)) continue
      const key = `${operatorOf(first.node)} ${first.name}`
      const axis = axes.get(key) ?? { place: first, entries: new Set(), values: new Set() }
      group.forEach((e) => axis.entries.add(e))
      values.forEach((v) => axis.values.add(v))
      axes.set(key, axis)
    }
  const reported = new Set<string>()
  for (const [key, { place, entries, values }] of axes) {
    const fired = facts.fired.filter((e) => entries.has(e))
    if (fired.length === 0) continue
    fired.forEach((e) => reported.add(`${e.index} ${key}`))
    const entry = fired.reduce((a, b) => (facts.matchesOf(b.index).length > facts.matchesOf(a.index).length ? b : a))
    const here = places.get(entry.index)!.find((p) => `${operatorOf(p.node)} ${p.name}` === key) ?? place
    yield {
      kind: 'dropped-constant',
      entry,
      times: fired.reduce((sum, e) => sum + facts.matchesOf(e.index).length, 0),
      graphNode: graphNodeOf(facts, entry, here.node),
      argument: here.name,
      source: here.node.meta.source,
      text: message`${entries.size} registrations differ in ${code(here.name)} of ${operator(operatorOf(here.node))} (${listedParts([...values].map(code))}) but share one replacement, which does not receive the value (here ${code(`${here.name}=${pyRepr(here.value)}`)})`,
    }
  }
  for (const entry of facts.fired) yield* switchedOn(facts, entry, places.get(entry.index)!, reported)
}

/** Groups of entries with equal replacements whose patterns differ only in constants. */
function sameReplacements(facts: LintFacts): EntryView[][] {
  const groups = new Map<string, EntryView[]>()
  for (const entry of facts.entries) {
    const replacement = facts.replacements[entry.index]
    if (!entry.searchGraph || !replacement || entry.registration.extraCheck !== null) continue
    const key = `${skeleton(entry.searchGraph)}\u0000${printGraph(replacement)}`
    const group = groups.get(key)
    if (group) group.push(entry)
    else groups.set(key, [entry])
  }
  return [...groups.values()].filter((g) => g.length > 1)
}

/** Flags of custom operators that are on in the pattern, if no argument of the replacement has their name or is on. */
function switchedOn(
  facts: LintFacts,
  entry: EntryView,
  places: readonly ConstantArgument[],
  reported: ReadonlySet<string>,
): Finding[] {
  const replacement = facts.replacements[entry.index]
  if (!replacement) return []
  const calls = [...replacement.nodes()].filter((n) => n.op === 'call_function')
  // A native computation may implement a flag without an argument for it.
  const custom = calls.filter(isCustom)
  if (custom.length === 0) return []
  return (
    places
      .filter(
        (p) =>
          p.value === true &&
          isCustom(p.node) &&
          !ignorable(p) &&
          !reported.has(`${entry.index} ${operatorOf(p.node)} ${p.name}`),
      )
      .filter((p) => !custom.some((c) => c.kwargs.has(p.name) || holds(c, true)))
      // The replacement keeps the operator and its behavior.
      .filter((p) => !custom.some((c) => operatorOf(c) === operatorOf(p.node)))
      .map((p) => ({
        kind: 'dropped-constant' as const,
        entry,
        graphNode: graphNodeOf(facts, entry, p.node),
        argument: p.name,
        source: p.node.meta.source,
        text: message`the pattern requires ${code(`${p.name}=True`)} of ${operator(operatorOf(p.node))}, but the replacement ${listedParts([...new Set(custom.map(operatorOf))].map(operator))} does not receive it`,
      }))
  )
}

const isCustom = (n: Node): boolean =>
  n.op === 'call_function' && !isNative(operatorOf(n)) && !operatorOf(n).startsWith('higher_order.')
/** Operators ignore arguments named as dummies. */
const ignorable = (p: ConstantArgument): boolean => p.name.startsWith('dummy')
const holds = (n: Node, value: Arg): boolean =>
  [...n.args, ...n.kwargs.values()].some((a) => !(a instanceof Node) && pyEqual(a, value))

/** Plain constants of calls; shapes, dtypes and devices are traced again from the graph. */
function constantsOf(facts: LintFacts, entry: EntryView): ConstantArgument[] {
  const out: ConstantArgument[] = []
  facts.patternNodes(entry.index).forEach((node, i) => {
    if (node.op !== 'call_function') return
    const schema = facts.schemaOf(operatorOf(node))
    const offset = isFunctionalized(node) ? 1 : 0
    const add = (name: string, value: Arg): void => {
      if (isPlain(value)) out.push({ key: `${i} ${name}`, node, name, value })
    }
    if (isGetitem(node)) return
    node.args.slice(offset).forEach((a, at) => add(schema?.args[at]?.name ?? String(at), a))
    for (const [name, value] of node.kwargs) if (!(isFunctionalized(node) && name.startsWith('_'))) add(name, value)
  })
  return out
}

const isPlain = (a: Arg): boolean =>
  typeof a === 'boolean' || typeof a === 'bigint' || typeof a === 'number' || typeof a === 'string'
const valueText = (p: ConstantArgument | undefined): string => (p ? pyRepr(p.value) : 'not passed')

/** Text of a graph without its plain constants. */
function skeleton(graph: Graph): string {
  const ids = new Map<Node, number>()
  return [...graph.nodes()]
    .map((n, i) => {
      ids.set(n, i)
      const form = (a: Arg): string => {
        if (isPlain(a)) return '?'
        if (a instanceof Node) return `%${ids.get(a)}`
        const inside: string[] = []
        visitNodes(a, (x) => void inside.push(`%${ids.get(x)}`))
        return inside.length > 0 ? `(${inside.join()})` : pyRepr(a)
      }
      const kwargs = [...n.kwargs].map(([k, v]) => `${k}=${form(v)}`)
      return `${n.op} ${n.target} ${[...n.args.map(form), ...kwargs].join()}`
    })
    .join('\n')
}

function graphNodeOf(facts: LintFacts, entry: EntryView, node: Node): string | null {
  const index = facts.patternNodes(entry.index).indexOf(node)
  return facts.matchesOf(entry.index)[0]?.map.find(([i]) => i === index)?.[1] ?? null
}

/**
 * Lint `dropped-constant` for `replace_pattern_with_filters(…, ignore_literals=True)`: the graph's literal differs from the
 * pattern's, and nothing passes it on.
 */
export function* ignoredLiterals(facts: LintFacts): Generator<Finding> {
  for (const entry of facts.fired) {
    const { registration } = entry
    if (!('subgraph' in registration) || !registration.subgraph?.ignoreLiterals) continue
    if (!registration.subgraph.replacement) continue
    for (const { at, p, g } of matchedNodes(facts, entry)) {
      const other = p.op.startsWith('call') ? otherLiteral(p, g) : null
      if (!other) continue
      const [expected, is] = other.map(pyRepr)
      yield {
        kind: 'dropped-constant',
        entry,
        key: `literal ${at} ${is}`,
        graphNode: g.name,
        source: p.meta.source,
        text: message`ignore_literals takes any literal: ${node(g.name)} has ${code(is!)} where the pattern has ${code(expected!)}, and the replacement does not receive it`,
      }
    }
  }
}

function otherLiteral(p: Node, g: Node): readonly [Arg, Arg] | null {
  const pairs = [
    ...p.args.map((a, i) => [a, g.args[i]] as const),
    ...[...p.kwargs].map(([name, a]) => [a, g.kwargs.get(name)] as const),
  ]
  for (const [a, b] of pairs) {
    const other = b === undefined ? null : differing(a, b)
    if (other) return other
  }
  return null
}

function differing(a: Arg, b: Arg): readonly [Arg, Arg] | null {
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    for (const [i, item] of (a as Arg[]).entries()) {
      const other = differing(item, (b as Arg[])[i]!)
      if (other) return other
    }
    return null
  }
  return a instanceof Node || b instanceof Node || sameLiteral(a, b) ? null : [a, b]
}
