/** Inputs that come from other nodes than in the siblings of an instance, and values that leave it. */
import { NONE, type RunInstance } from './alignment'
import { operatorText } from './labels'
import type { Structure } from './order'
import type { InstanceDifference } from './types'

/** Share of the instances that agree on an input of a column, for it to be the rule. */
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
    const keys = instances.map(({ at }, k) => (at[c] === NONE ? null : keysOf(s, owners, at[c]!, k)))
    const rules = Array.from(s.slots[model]!, (_, j) => ruleOf(keys.map((own) => own?.[j])))
    for (const [k, own] of keys.entries()) {
      if (!own || own.length !== rules.length) continue
      const wrong = rules.flatMap((rule, j) =>
        rule !== null && own[j] !== rule && !explained(instances, k, own[j]!, rule) ? [j] : [],
      )
      if (wrong.length > 0) found.push(wiringOf(s, instances[k]!.at[c]!, { k, wrong, own, rules, keys }, instances))
    }
    found.push(...escaping(s, owners, instances, c))
  }
  return found
}

function ownersOf(instances: readonly RunInstance[]): Owners {
  const from = Math.min(...instances.map(({ members }) => members[0] ?? Infinity))
  const to = Math.max(...instances.map(({ members }) => (members.at(-1) ?? -1) + 1))
  const owners = {
    instance: new Int32Array(Math.max(0, to - from)).fill(NONE),
    column: new Int32Array(Math.max(0, to - from)).fill(NONE),
    from,
  }
  instances.forEach(({ members, at }, k) => {
    for (const p of members) owners.instance[p - from] = k
    at.forEach((p, c) => p !== NONE && (owners.column[p - from] = c))
  })
  return owners
}

/**
 * The origin of each input: `c7` a column of the same instance, `-1c7` of the one before, `x` a node without a column,
 * `o123` a node outside.
 */
function keysOf(s: Structure, { instance, column, from }: Owners, position: number, k: number): string[] {
  return [...s.slots[position]!].map((input) => {
    const i = input - from
    const owner = instance[i] ?? NONE
    if (owner === NONE) return `o${input}`
    if (column[i] === NONE) return 'x'
    return owner === k ? `c${column[i]}` : `${owner - k}c${column[i]}`
  })
}

function ruleOf(keys: readonly (string | undefined)[]): string | null {
  const counts = new Map<string, number>()
  let all = 0
  for (const key of keys) {
    if (key === undefined) continue
    all++
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const [key, count] of counts) if (count >= all * RULE) return key
  return null
}

/** Extra and missing nodes are differences themselves, and the first instance has none before it. */
function explained(instances: readonly RunInstance[], k: number, own: string, rule: string): boolean {
  if (own === 'x') return true
  const [, back, c] = /^(-?\d+)?c(\d+)$/.exec(rule) ?? []
  if (c === undefined) return false
  const source = instances[k + Number(back ?? 0)]
  return source === undefined || source.at[Number(c)] === NONE
}

interface Wrong {
  k: number
  /** Inputs, by argument. */
  wrong: readonly number[]
  own: readonly string[]
  rules: readonly (string | null)[]
  keys: readonly (readonly string[] | null)[]
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
  const actual = s.nodes[s.slots[position]![j]!]!.name
  const column = instances.findIndex((_, i) => i !== k && keys[i]?.[j] === rules[j])
  const c = instances[k]!.at.indexOf(position)
  const sibling = s.nodes[s.slots[instances[column]!.at[c]!]![j]!]!
  const what = swapped
    ? `has the operands of ${of} in the other order`
    : `has ${actual} as an input of ${of}, its siblings ${operatorText(sibling)} (${sibling.name})`
  return { instance: k, kind: 'wiring', what, nodes: [node.name], siblings: [sibling.name] }
}

/** Values that leave an instance, where those of its siblings do not. */
function escaping(s: Structure, o: Owners, instances: readonly RunInstance[], c: number): InstanceDifference[] {
  const outside = instances.map(({ at }) =>
    at[c] === NONE ? [] : [...s.users[at[c]!]!].filter((u) => (o.instance[u - o.from] ?? NONE) === NONE),
  )
  const leaving = outside.filter((users) => users.length > 0).length
  if (leaving === 0 || leaving * 3 > instances.length) return []
  return outside.flatMap((users, k) => {
    const position = instances[k]!.at[c]!
    // The value that the next instance would take leaves the last one.
    const passed = instances.some(({ at }, i) => i !== k && at[c] !== NONE && passes(s, o, at[c]!, i))
    if (users.length === 0 || passed) return []
    const [node, user] = [s.nodes[position]!, s.nodes[users[0]!]!]
    const by = user.op === 'output' ? 'is also an output of the graph' : `is also used outside, by ${user.name}`
    const what = `has a value that leaves it: ${node.name} ${by}`
    return [{ instance: k, kind: 'escaping' as const, what, nodes: [node.name], siblings: [] }]
  })
}

const passes = (s: Structure, { instance, from }: Owners, position: number, k: number): boolean =>
  s.users[position]!.some((u) => (instance[u - from] ?? NONE) !== NONE && instance[u - from] !== k)
