/** How an instance differs from most of its siblings. */
import { count } from '../../base/english'
import { NONE, type RunInstance } from './columns'
import { constant, constantsOf, operatorText, shapeText } from './labels'
import type { Node } from '../graph/node'
import type { Structure } from './order'
import type { DifferenceKind, InstanceDifference } from './types'
import { wiringDifferences } from './wiring'

/** Maximum number of listed differences of an instance; the rest are counted. */
const MAX_LISTED = 6

type Found = Omit<InstanceDifference, 'instance'> & { at: number }

/** @param each number of instances in each outer instance; only instances at the same place are compared */
export function differencesOf(s: Structure, instances: readonly RunInstance[], each: number): InstanceDifference[] {
  const found: InstanceDifference[] = []
  for (let first = 0; first < each; first++)
    for (const d of differencesAmong(
      s,
      instances.filter((_, k) => k % each === first),
    ))
      found.push({ ...d, instance: d.instance * each + first })
  return found.sort((a, b) => a.instance - b.instance)
}

function differencesAmong(s: Structure, instances: readonly RunInstance[]): InstanceDifference[] {
  const reference = referenceOf(s, instances)
  const wiring = wiringDifferences(s, instances, reference.typical)
  return instances.flatMap((instance, k) => {
    const found = [
      ...structural(s, instance, reference.typical),
      ...ofNodes(s, instance, reference),
      ...wiring.filter((w) => w.instance === k),
    ]
    return summarized(found).map((d) => ({
      instance: k,
      kind: d.kind,
      what: d.what,
      nodes: d.nodes,
      siblings: d.siblings,
    }))
  })
}

function summarized(found: readonly Omit<InstanceDifference, 'instance'>[]): Omit<InstanceDifference, 'instance'>[] {
  if (found.length <= MAX_LISTED) return [...found]
  const rest = found.slice(MAX_LISTED - 1)
  const all = { nodes: rest.flatMap((d) => d.nodes), siblings: rest.flatMap((d) => d.siblings) }
  const what = `differs in ${count(rest.length, 'more place')}`
  return [...found.slice(0, MAX_LISTED - 1), { kind: 'unlike', what, ...all }]
}

interface Reference {
  /** The node of a typical instance, by column; NONE if no instance has one. */
  typical: Int32Array
  /** True for a column in which no label occurs in half of the instances: a parameter that differs per instance. */
  varies: Uint8Array
}

/** The most frequent label of each column; on a tie, the first instance's. */
function referenceOf(s: Structure, instances: readonly RunInstance[]): Reference {
  const size = instances[0]!.at.length
  const typical = new Int32Array(size).fill(NONE)
  const varies = new Uint8Array(size)
  for (let c = 0; c < size; c++) {
    if (uniform(s.exact, instances, c)) {
      typical[c] = instances[0]!.at[c]!
      continue
    }
    const counts = new Map<number, { count: number; position: number }>()
    let best = { count: 0, position: NONE }
    let all = 0
    for (const { at } of instances) {
      const position = at[c]!
      if (position === NONE) continue
      all++
      const found = counts.get(s.exact[position]!) ?? { count: 0, position }
      found.count++
      counts.set(s.exact[position]!, found)
      if (found.count > best.count) best = found
    }
    typical[c] = best.position
    varies[c] = best.count * 2 < all ? 1 : 0
  }
  return { typical: fromOne(s, instances, typical), varies }
}

/** True if all instances have a node in the column, with one label. */
function uniform(labels: Int32Array, instances: readonly RunInstance[], c: number): boolean {
  const first = instances[0]!.at[c]!
  if (first === NONE) return false
  for (let k = 1; k < instances.length; k++) {
    const position = instances[k]!.at[c]!
    if (position === NONE || labels[position] !== labels[first]) return false
  }
  return true
}

/** The most frequent labels, at the nodes of one instance so that they are connected, as far as it has the columns. */
function fromOne(s: Structure, instances: readonly RunInstance[], typical: Int32Array): Int32Array {
  const agrees = (p: number, c: number): boolean => p !== NONE && s.exact[p] === s.exact[typical[c]!]
  let [best, most] = [instances[0]!.at, -1]
  for (let k = 0; k < instances.length && most < typical.length; k++) {
    const { at } = instances[k]!
    let count = 0
    for (let c = 0; c < at.length; c++) if (agrees(at[c]!, c)) count++
    if (count > most) [best, most] = [at, count]
  }
  return typical.map((p, c) => (agrees(best[c]!, c) ? best[c]! : p))
}

/** Nodes that an instance lacks or has in addition. */
function structural(s: Structure, { members, at }: RunInstance, typical: Int32Array): Found[] {
  if (members.length === at.length && !at.includes(NONE)) return []
  const own = new Set(at)
  const extra = new Set([...members].filter((p) => !own.has(p)))
  const missing = new Set<number>()
  at.forEach((p, c) => p === NONE && typical[c] !== NONE && missing.add(c))
  const found: Found[] = []
  const column = new Map([...typical].map((p, c) => [p, c]))
  const all = [...missing].map((c) => typical[c]!)
  if (extra.size < all.length && inTheirPlace(s, { at, typical, column, extra }, all))
    return [insteadOf(s, [...extra], all)]
  for (const c of missing) {
    const other = inPlaceOf(s, { at, typical, column, extra }, c)
    if (other === NONE) continue
    extra.delete(other)
    missing.delete(c)
    const [node, sibling] = [s.nodes[other]!, s.nodes[typical[c]!]!]
    const what = `has ${operatorText(node)} (${node.name}) where its siblings have ${operatorText(sibling)}`
    found.push({ at: other, kind: 'replaced', what, nodes: [node.name], siblings: [sibling.name] })
  }
  const lost = [...missing].map((c) => typical[c]!)
  if (lost.length > 0) found.push(missingOf(s, lost))
  if (extra.size > 0) found.push(extraOf(s, [...extra]))
  return found
}

interface Instance {
  at: Int32Array
  typical: Int32Array
  /** Column of a position in `typical`. */
  column: ReadonlyMap<number, number>
  extra: ReadonlySet<number>
}

/** The extra node in the place of the siblings' column `c`. */
function inPlaceOf(s: Structure, { at, typical, column, extra }: Instance, c: number): number {
  const sibling = typical[c]!
  if (s.slots.count(sibling) === 0) return NONE
  for (const user of s.users.of(sibling)) {
    const own = at[column.get(user) ?? NONE] ?? NONE
    const actual = own === NONE ? undefined : s.slots.of(own)[s.slots.of(user).indexOf(sibling)]
    if (actual !== undefined && extra.has(actual) && s.slots.count(actual) > 0) return actual
  }
  for (const p of extra) {
    const inputs = s.slots.of(p)
    const same = s.slots.of(sibling).every((input, j) => {
      const c2 = column.get(input)
      return c2 === undefined ? inputs[j] !== undefined : at[c2] === inputs[j]
    })
    if (same && inputs.length === s.slots.count(sibling)) return p
  }
  return NONE
}

/** True if all extra nodes feed nodes that the missing nodes feed in the siblings. */
function inTheirPlace(s: Structure, { at, column, extra }: Instance, lost: readonly number[]): boolean {
  const fed = new Set(lost.flatMap((p) => [...s.users.of(p)].map((u) => at[column.get(u) ?? NONE] ?? NONE)))
  const feeds = (p: number): boolean => s.users.of(p).some((u) => fed.has(u) || (extra.has(u) && u !== p && feeds(u)))
  return extra.size > 0 && extra.size <= 4 && lost.length <= 4 && [...extra].every(feeds)
}

function insteadOf(s: Structure, extra: readonly number[], lost: readonly number[]): Found {
  const [nodes, siblings] = [extra.map((p) => s.nodes[p]!), lost.map((p) => s.nodes[p]!)]
  const own = listOf(computing(nodes).map((n) => `${operatorText(n)} (${n.name})`))
  const what = `has ${own} where its siblings have ${listOf(computing(siblings).map(operatorText))}`
  const names = { nodes: nodes.map((n) => n.name), siblings: siblings.map((n) => n.name) }
  return { at: extra[0]!, kind: 'replaced', what, ...names }
}

/** Nodes without inputs of the graph, or those inputs if there are no other nodes. */
function computing(nodes: readonly Node[]): readonly Node[] {
  const found = nodes.filter((n) => n.op !== 'placeholder' && n.op !== 'get_attr')
  return found.length > 0 ? found : nodes
}

function missingOf(s: Structure, lost: readonly number[]): Found {
  const siblings = lost.map((p) => s.nodes[p]!)
  const names = computing(siblings).map((n) => named(s, lost[siblings.indexOf(n)]!))
  const what = `has no ${listOf(names)}`
  return { at: lost[0]!, kind: 'missing', what, nodes: [], siblings: siblings.map((n) => n.name) }
}

function extraOf(s: Structure, extra: readonly number[]): Found {
  const nodes = extra.map((p) => s.nodes[p]!)
  const names = computing(nodes).map((n) => `${operatorText(n)} (${n.name})`)
  const between = extra.length === 1 ? betweenText(s, extra[0]!) : ''
  const what = `also has ${listOf(names)}${between}`
  return { at: extra[0]!, kind: 'extra', what, nodes: nodes.map((n) => n.name), siblings: [] }
}

function betweenText(s: Structure, position: number): string {
  const input = s.slots.of(position)[0]
  const user = s.users.of(position)[0]
  if (input === undefined || user === undefined) return ''
  return ` between ${s.nodes[input]!.name} and ${s.nodes[user]!.name}`
}

/** `residual add (aten.add.Tensor)` for an addition with one input that bypasses everything the other went through. */
function named(s: Structure, position: number): string {
  const operator = operatorText(s.nodes[position]!)
  const [a, b, ...rest] = s.slots.of(position)
  const adds = /(?:^|[. ])i?add_?(?:\.|$)/.test(operator)
  if (!adds || a === undefined || b === undefined || rest.length > 0) return operator
  const [early, late] = a < b ? [a, b] : [b, a]
  const skips = s.users.of(early).some((u) => u <= late) && late - early > 2
  return skips ? `residual add (${operator})` : operator
}

/** "a, b and c", or "12 nodes: a, b, c, …". */
function listOf(names: readonly string[]): string {
  if (names.length > 4) return `${names.length} nodes: ${names.slice(0, 3).join(', ')}, …`
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`
}

/** Constants, dtypes and shapes; a shape that follows from a different input is not listed. */
function ofNodes(s: Structure, { at }: RunInstance, { typical, varies }: Reference): Found[] {
  const found: Found[] = []
  const changed = new Set<number>()
  for (let c = 0; c < at.length; c++) {
    const position = at[c]!
    if (position === NONE || varies[c] || s.exact[position] === s.exact[typical[c]!]) continue
    const [node, sibling] = [s.nodes[position]!, s.nodes[typical[c]!]!]
    const text = constantText(node, sibling)
    const value = valueText(node, sibling)
    if (value) changed.add(position)
    const inherited = s.slots.of(position).some((i) => changed.has(i))
    const named = { at: position, nodes: [node.name], siblings: [sibling.name] }
    if (text) found.push({ ...named, kind: 'constant', what: text })
    else if (value && !inherited) found.push({ ...named, ...value })
  }
  return found
}

function constantText(node: Node, sibling: Node): string | null {
  if (constantsOf(node) === constantsOf(sibling)) return null
  const at = [...Array(Math.max(node.args.length, sibling.args.length)).keys()]
  const texts = (n: Node): Map<string, string> =>
    new Map([
      ...n.args.map((a, i) => [`argument ${i}`, constant(a)] as const),
      ...[...n.kwargs].map(([k, v]) => [k, constant(v)] as const),
    ])
  const [own, other] = [texts(node), texts(sibling)]
  const names = [...at.map((i) => `argument ${i}`), ...new Set([...node.kwargs.keys(), ...sibling.kwargs.keys()])]
  const name = names.find((n) => own.get(n) !== other.get(n))
  if (name === undefined) return null
  const [a, b] = [own.get(name) ?? 'absent', other.get(name) ?? 'absent']
  return `has ${a} as ${name} of ${operatorText(node)} (${node.name}), its siblings ${b}`
}

function valueText(node: Node, sibling: Node): { kind: DifferenceKind; what: string } | null {
  const [a, b] = [node.meta.val, sibling.meta.val]
  if (a?.kind !== 'tensor' || b?.kind !== 'tensor') return null
  const of = `${operatorText(node)} (${node.name})`
  if (a.dtype !== b.dtype) return { kind: 'dtype', what: `has ${a.dtype} for ${of}, its siblings ${b.dtype}` }
  const [x, y] = [shapeText(a.shape), shapeText(b.shape)]
  return x === y ? null : { kind: 'shape', what: `has the shape [${x}] for ${of}, its siblings [${y}]` }
}
