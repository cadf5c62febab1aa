/** Pairs the arguments of two calls: by position and name if the calls have the same form, by schema otherwise. */
import { Node, type Arg, isKind, operatorOf, isFunctionalized } from '../../fx'
import type { SchemaLookup } from '../../matcher/schema_facts'
import { pyEqual, pyRepr } from '../../matcher/py'
import type { SubgraphRules } from '../../matcher/types'
import type { ArgumentReason } from '../reasons/reason'
import { argumentsBySchema } from './subgraph_rules'

/** A pair of corresponding values. */
export interface Pair {
  /** `group_size`, `1`, `_all_bases[0]`. */
  path: string
  pattern: Arg
  graph: Arg
}

type WithoutNode<T> = T extends { node: string } ? Omit<T, 'node'> : never

/** True if the two calls pass their arguments in different forms. */
export interface FormFault {
  argument: string | null
  expected: string
  found: string
  /** The caller fills in the graph node. */
  reason: WithoutNode<
    Extract<
      ArgumentReason,
      {
        kind:
          | 'list-length'
          | 'positional-count'
          | 'keyword-missing'
          | 'keyword-extra'
          | 'keyword-order'
          | 'passed-by'
          | 'passed-on-one-side'
      }
    >
  >
}

export interface Paired {
  pairs: Pair[]
  faults: FormFault[]
}

/** @param same false when the two nodes run different operators: then only nodes are paired, by position */
export function pairArguments(
  pattern: Node,
  graph: Node,
  schemaOf: SchemaLookup,
  same: boolean,
  subgraph?: SubgraphRules,
): Paired {
  const out: Paired = { pairs: [], faults: [] }
  if (!same) pairNodes(pattern, graph, out)
  else if (subgraph) pairForSubgraph(pattern, graph, schemaOf, out)
  else if (isFunctionalized(pattern) && pattern.target !== graph.target) pairFunctionalized(pattern, graph, out)
  else if (pattern.args.length === graph.args.length && pairKwargs(pattern, graph, schemaOf, out))
    pattern.args.forEach((p, i) => pairValues(String(i), p, graph.args[i]!, out))
  else pairBySchema(pattern, graph, schemaOf, out)
  return out
}

/** Pairs the leaves of both values. */
function pairValues(path: string, p: Arg, g: Arg, out: Paired): void {
  const a = itemsOf(p)
  const b = itemsOf(g)
  if (!a || !b) {
    if (!a !== !b && !(p instanceof Node) && !(g instanceof Node)) out.pairs.push({ path, pattern: p, graph: g })
    else if (!a && !b) out.pairs.push({ path, pattern: p, graph: g })
    else if (p instanceof Node || g instanceof Node) out.pairs.push({ path, pattern: p, graph: g })
    return
  }
  if (a.length !== b.length) {
    // `[0]` and `[0, 1]` are different constants; lists of nodes that differ in length are different structures.
    if (![...a, ...b].some((x) => x instanceof Node || itemsOf(x))) {
      out.pairs.push({ path, pattern: p, graph: g })
      return
    }
    out.faults.push({
      argument: path,
      expected: `${a.length} items`,
      found: `${b.length} items`,
      reason: { kind: 'list-length', argument: path, expected: a.length, found: b.length },
    })
  }
  for (let i = 0; i < Math.min(a.length, b.length); i++) pairValues(`${path}[${i}]`, a[i]!, b[i]!, out)
}

const itemsOf = (a: Arg): readonly Arg[] | null =>
  Array.isArray(a) ? (a as readonly Arg[]) : isKind(a, 'tuple') ? a.items : null

/** By position if both calls have the same form; by the schema, including defaults, for operators; otherwise nothing pairs. */
function pairForSubgraph(pattern: Node, graph: Node, schemaOf: SchemaLookup, out: Paired): void {
  const keys = [...pattern.kwargs.keys()]
  const wanted = argumentsBySchema(pattern, schemaOf)
  const found = argumentsBySchema(graph, schemaOf)
  if (pattern.args.length === graph.args.length && keys.join() === [...graph.kwargs.keys()].join()) {
    pattern.args.forEach((p, i) => pairValues(String(i), p, graph.args[i]!, out))
    for (const key of keys) pairValues(key, pattern.kwargs.get(key)!, graph.kwargs.get(key)!, out)
  } else if (wanted && found) {
    for (const [name, value] of wanted) pairValues(name, value, found.get(name) ?? null, out)
  } else {
    const [expected, given] = [pattern.args.length, graph.args.length]
    const reason = { kind: 'positional-count', expected, found: given } as const
    if (expected !== given)
      out.faults.push({ argument: null, expected: String(expected), found: String(given), reason })
    pattern.args.slice(0, given).forEach((p, i) => pairValues(String(i), p, graph.args[i]!, out))
    pairKwargs(pattern, graph, () => null, out)
    if (out.faults.length === 0) out.faults.push(...extraKwargs(pattern, graph))
  }
}

function extraKwargs(pattern: Node, graph: Node): FormFault[] {
  return [...graph.kwargs].flatMap(([key, value]): FormFault[] => {
    if (pattern.kwargs.has(key)) return []
    const text = pyRepr(value)
    const reason = { kind: 'keyword-extra', argument: key, value: text } as const
    return [{ argument: key, expected: 'not passed', found: `${key}=${text}`, reason }]
  })
}

/** False when the keyword arguments cannot be paired without the schema. */
function pairKwargs(pattern: Node, graph: Node, schemaOf: SchemaLookup, out: Paired): boolean {
  const wanted = [...pattern.kwargs.keys()]
  const missing = wanted.filter((k) => !graph.kwargs.has(k))
  if (missing.length > 0 && schemaOf(pattern.target)) return false
  for (const key of missing) {
    const value = pyRepr(pattern.kwargs.get(key)!)
    out.faults.push({
      argument: key,
      expected: `${key}=${value}`,
      found: 'not passed',
      reason: { kind: 'keyword-missing', argument: key, value },
    })
  }
  if (missing.length > 0) out.faults.push(...extraKwargs(pattern, graph))
  const order = [...graph.kwargs.keys()].filter((k) => pattern.kwargs.has(k))
  if (missing.length === 0 && order.join() !== wanted.join())
    out.faults.push({
      argument: wanted.find((k, i) => order[i] !== k) ?? null,
      expected: wanted.join(', '),
      found: order.join(', '),
      reason: { kind: 'keyword-order', expected: wanted, found: order },
    })
  for (const [key, value] of pattern.kwargs)
    if (graph.kwargs.has(key)) pairValues(key, value, graph.kwargs.get(key)!, out)
  return true
}

/** Uses the schema's names to report arguments that only one side passes, and whether each is a dropped default. */
function pairBySchema(pattern: Node, graph: Node, schemaOf: SchemaLookup, out: Paired): void {
  const schema = schemaOf(operatorOf(pattern))
  const names = schema?.args.map((a) => a.name) ?? []
  const name = (i: number): string => names[i] ?? String(i)
  const p = named(pattern, name)
  const g = named(graph, name)
  for (const key of new Set([...p.keys(), ...g.keys()])) {
    const a = p.get(key)
    const b = g.get(key)
    if (a && b) {
      if (a.positional !== b.positional)
        out.faults.push({
          argument: key,
          expected: a.positional ? 'by position' : 'by keyword',
          found: b.positional ? 'by position' : 'by keyword',
          reason: {
            kind: 'passed-by',
            argument: key,
            expected: a.positional ? 'position' : 'keyword',
            found: b.positional ? 'position' : 'keyword',
          },
        })
      pairValues(key, a.value, b.value, out)
      continue
    }
    const has = (a ?? b)!
    const facts = schema?.args.find((f) => f.name === key)
    const value = pyRepr(has.value)
    const dflt = facts && facts.default !== undefined ? facts.default : undefined
    if (!has.positional && !a) continue // The matcher does not compare a keyword argument that the pattern does not name.
    out.faults.push({
      argument: key,
      expected: a ? value : dflt !== undefined ? `${pyRepr(dflt)}, by default` : 'not passed',
      found: b ? value : dflt !== undefined ? `${pyRepr(dflt)}, by default` : 'not passed',
      reason: {
        kind: 'passed-on-one-side',
        argument: key,
        value,
        side: a ? 'pattern' : 'graph',
        positional: { pattern: pattern.args.length, graph: graph.args.length },
        default: dflt === undefined ? null : pyRepr(dflt),
        isDefault: dflt !== undefined && !(has.value instanceof Node) && pyEqual(has.value, dflt),
      },
    })
  }
}

function named(node: Node, name: (i: number) => string): Map<string, { value: Arg; positional: boolean }> {
  const out = new Map<string, { value: Arg; positional: boolean }>()
  node.args.forEach((value, i) => out.set(name(i), { value, positional: true }))
  for (const [key, value] of node.kwargs) out.set(key, { value, positional: false })
  return out
}

/** v1 passes buffers by their names, v2 by their index into _all_bases. */
function pairFunctionalized(pattern: Node, graph: Node, out: Paired): void {
  const p = plainKwargs(pattern)
  const g = plainKwargs(graph)
  for (const [key, value] of p) if (g.has(key)) pairValues(key, value, g.get(key)!, out)
}

/** The wrapped operator's own arguments, for either version. */
export function plainKwargs(node: Node): Map<string, Arg> {
  const bases = node.kwargs.get('_all_bases')
  const out = new Map<string, Arg>()
  for (const [key, value] of node.kwargs) {
    const base = /^_(\w+)_base_index$/.exec(key)
    if (base && Array.isArray(bases)) out.set(base[1]!, (bases as readonly Arg[])[Number(value)] ?? null)
    else if (!key.startsWith('_')) out.set(key, value)
  }
  return out
}

function pairNodes(pattern: Node, graph: Node, out: Paired): void {
  const leaves = (n: Node): Arg[] => {
    const all: Arg[] = []
    const add = (a: Arg): void => {
      const items = itemsOf(a)
      if (items) items.forEach(add)
      else if (a instanceof Node) all.push(a)
    }
    n.args.forEach(add)
    for (const v of n.kwargs.values()) add(v)
    return all
  }
  const g = leaves(graph)
  leaves(pattern).forEach((p, i) => {
    if (g[i] !== undefined) out.pairs.push({ path: String(i), pattern: p, graph: g[i]! })
  })
}
