/** Inputs that come from other nodes than in an instance's siblings, and values that leave the instance. */
import { NONE, type RunInstance } from './columns'
import { operatorText } from './labels'
import type { Structure } from './order'
import type { InstanceDifference } from './types'

/** Minimum share of instances that must agree on a column's input. */
const RULE = 2 / 3

interface Owners {
  instance: Int32Array
  column: Int32Array
  /** Position of index 0. */
  from: number
}

export function wiringDifferences(
  s: Structure,
  instances: readonly RunInstance[],
  typical: Int32Array,
): InstanceDifference[] {
  const owners = ownersOf(instances)
  const found: InstanceDifference[] = []
  for (let c = 0; c < typical.length; c++) {
    const model = typical[c]!
    if (model === NONE) continue
    if (!alike(s, owners, instances, c)) found.push(...wiringOfColumn(s, { owners, instances, model }, c))
    found.push(...escaping(s, owners, instances, c))
  }
  return found
}

interface Column {
  owners: Owners
  instances: readonly RunInstance[]
  /** A typical node of the column. */
  model: number
}

function wiringOfColumn(s: Structure, { owners, instances, model }: Column, c: number): InstanceDifference[] {
  const found: InstanceDifference[] = []
  const keys = instances.map(({ at }, k) =>
    at[c] === NONE ? null : Array.from(s.slots.of(at[c]!), (input) => keyOf(owners, input, k)),
  )
  const rules = Array.from(s.slots.of(model), (_, j) => ruleOf(keys, j))
  for (const [k, own] of keys.entries()) {
    if (!own || own.length !== rules.length) continue
    const wrong = rules.flatMap((rule, j) =>
      rule !== null && own[j] !== rule && !explained(instances, k, own[j]!, rule) ? [j] : [],
    )
    if (wrong.length > 0) found.push(wiringOf(s, instances[k]!.at[c]!, { k, wrong, own, rules, keys }, instances))
  }
  return found
}

/** True if the node of a column takes each input from the same place in every instance: the usual case. */
function alike(s: Structure, owners: Owners, instances: readonly RunInstance[], c: number): boolean {
  const first = instances[0]!.at[c]!
  if (first === NONE) return false
  const length = s.slots.count(first)
  for (let k = 1; k < instances.length; k++) {
    const position = instances[k]!.at[c]!
    if (position === NONE || s.slots.count(position) !== length) return false
  }
  const { starts, items } = s.slots
  for (let j = 0; j < length; j++) {
    const key = keyOf(owners, items[starts[first]! + j]!, 0)
    for (let k = 1; k < instances.length; k++)
      if (keyOf(owners, items[starts[instances[k]!.at[c]!]! + j]!, k) !== key) return false
  }
  return true
}

function ownersOf(instances: readonly RunInstance[]): Owners {
  const from = Math.min(...instances.map(({ members }) => members[0] ?? Infinity))
  const to = Math.max(...instances.map(({ members }) => (members.at(-1) ?? -1) + 1))
  const owners = {
    instance: new Int32Array(Math.max(0, to - from)).fill(NONE),
    column: new Int32Array(Math.max(0, to - from)).fill(NONE),
    from,
  }
  const { instance, column } = owners
  for (let k = 0; k < instances.length; k++) {
    const { members, at } = instances[k]!
    for (let i = 0; i < members.length; i++) instance[members[i]! - from] = k
    for (let c = 0; c < at.length; c++) if (at[c] !== NONE) column[at[c]! - from] = c
  }
  return owners
}

/** The origin code for a node without a column. */
const EXTRA = -1
/** The range of instance distances in an origin code. */
const SPAN = 64

/**
 * The origin of an input of instance `k`, as a number: `column * SPAN + SPAN / 2 + distance` for a column of the instance
 * `distance` after this one, EXTRA, or `-2 - position` for a node outside the run.
 */
function keyOf({ instance, column, from }: Owners, input: number, k: number): number {
  const i = input - from
  const owner = i >= 0 && i < instance.length ? instance[i]! : NONE
  if (owner === NONE) return -2 - input
  const distance = owner - k
  return column[i] === NONE || Math.abs(distance) >= SPAN / 2 ? EXTRA : column[i]! * SPAN + SPAN / 2 + distance
}

/** The most common origin of an input; null if there is none. */
function ruleOf(keys: readonly (readonly number[] | null)[], j: number): number | null {
  const first = keys[0]?.[j]
  if (first !== undefined && keys.every((own) => own?.[j] === first)) return first
  const counts = new Map<number, number>()
  let all = 0
  for (const own of keys) {
    const key = own?.[j]
    if (key === undefined) continue
    all++
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const [key, count] of counts) if (count >= all * RULE) return key
  return null
}

/** Skip extra and missing nodes, which are reported as differences, and the previous instance of the first one. */
function explained(instances: readonly RunInstance[], k: number, own: number, rule: number): boolean {
  if (own === EXTRA) return true
  if (rule < 0) return false
  const source = instances[k + (rule % SPAN) - SPAN / 2]
  return source === undefined || source.at[Math.floor(rule / SPAN)] === NONE
}

interface Wrong {
  k: number
  /** Inputs, by argument. */
  wrong: readonly number[]
  own: readonly number[]
  rules: readonly (number | null)[]
  keys: readonly (readonly number[] | null)[]
}

function wiringOf(
  s: Structure,
  position: number,
  { k, wrong, own, rules, keys }: Wrong,
  instances: readonly RunInstance[],
): InstanceDifference {
  const node = s.nodes[position]!
  const of = `${operatorText(node)} (${node.name})`
  const swapped = wrong.length === 2 && own[wrong[0]!] === rules[wrong[1]!] && own[wrong[1]!] === rules[wrong[0]!]
  const j = wrong[0]!
  const actual = s.nodes[s.slots.of(position)[j]!]!.name
  const column = instances.findIndex((_, i) => i !== k && keys[i]?.[j] === rules[j])
  const c = instances[k]!.at.indexOf(position)
  const sibling = s.nodes[s.slots.of(instances[column]!.at[c]!)[j]!]!
  const what = swapped
    ? `has the operands of ${of} in the other order`
    : `has ${actual} as an input of ${of}, its siblings ${operatorText(sibling)} (${sibling.name})`
  return { instance: k, kind: 'wiring', what, nodes: [node.name], siblings: [sibling.name] }
}

/** Values that leave an instance although those of its siblings stay inside. */
function escaping(s: Structure, o: Owners, instances: readonly RunInstance[], c: number): InstanceDifference[] {
  let some = false
  for (let k = 0; k < instances.length && !some; k++) {
    const position = instances[k]!.at[c]!
    some = position !== NONE && leaves(s, o, position)
  }
  if (!some) return []
  const outside = instances.map(({ at }) =>
    at[c] === NONE ? [] : [...s.users.of(at[c]!)].filter((u) => (o.instance[u - o.from] ?? NONE) === NONE),
  )
  const leaving = outside.filter((users) => users.length > 0).length
  if (leaving * 3 > instances.length) return []
  return outside.flatMap((users, k) => {
    const position = instances[k]!.at[c]!
    // Not a difference: in the last instance, the value for the next instance is used outside.
    const passed = instances.some(({ at }, i) => i !== k && at[c] !== NONE && passes(s, o, at[c]!, i))
    if (users.length === 0 || passed) return []
    const [node, user] = [s.nodes[position]!, s.nodes[users[0]!]!]
    const by = user.op === 'output' ? 'is also an output of the graph' : `is also used outside, by ${user.name}`
    const what = `has a value that leaves it: ${node.name} ${by}`
    return [{ instance: k, kind: 'escaping' as const, what, nodes: [node.name], siblings: [] }]
  })
}

/** True if a node has a user outside all instances. */
function leaves({ users }: Structure, { instance, from }: Owners, position: number): boolean {
  const { starts, items } = users
  for (let i = starts[position]!; i < starts[position + 1]!; i++) {
    const at = items[i]! - from
    if (at < 0 || at >= instance.length || instance[at] === NONE) return true
  }
  return false
}

const passes = (s: Structure, { instance, from }: Owners, position: number, k: number): boolean =>
  s.users.of(position).some((u) => (instance[u - from] ?? NONE) !== NONE && instance[u - from] !== k)
