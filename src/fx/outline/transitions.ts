/** Nodes between two instances of a run that belong to neither: the downsampling between the stages of a network. */
import { NONE, type RunInstance } from './columns'
import type { Structure } from './order'

/** Minimum number of computing nodes in a transition; fewer are a difference of the instance. */
const LEAST_COMPUTE = 2
/** The largest transition, as a share of an instance. */
const MOST = 0.7

/**
 * The instances without the transitions before and after their columns. All values to the next instance pass a transition.
 * Transitions must separate stages of at least two instances, or be alike.
 */
export function withoutTransitions(s: Structure, instances: RunInstance[]): RunInstance[] {
  const found: RunInstance[] = []
  const kinds: string[] = []
  let stage = 0
  let single = false
  for (const [k, instance] of instances.entries()) {
    const { members, at } = instance
    const [head, tail] = transitionsOf(s, instances, k)
    const [first, last] = head || tail ? endsOf(at) : [0, 0]
    const kindOf = (own: (p: number) => boolean): string => [...members.filter(own)].map((p) => s.operator[p]).join()
    if (head) {
      kinds.push(kindOf((p) => p < first))
      if (stage === 1) single = true
      stage = 0
    }
    stage++
    if (tail) {
      kinds.push(kindOf((p) => p > last))
      if (stage === 1) single = true
      stage = 0
    }
    found.push(
      head || tail ? { members: members.filter((p) => !(head && p < first) && !(tail && p > last)), at } : instance,
    )
  }
  const alike = kinds.length > 1 && kinds.every((kind) => kind === kinds[0])
  return (single || stage === 1) && !alike ? instances : found
}

/** Whether a transition lies before and after the columns of an instance. */
function transitionsOf(s: Structure, instances: readonly RunInstance[], k: number): [boolean, boolean] {
  const { members, at } = instances[k]!
  if (members.length === at.length) return [false, false]
  const [first, last] = endsOf(at)
  const [before, after] = [instances[k - 1], instances[k + 1]]
  const part = (keep: (p: number) => boolean): Int32Array => members.filter(keep)
  return [
    before !== undefined &&
      isTransition(
        s,
        part((p) => p < first),
        before,
        instances[k]!,
      ),
    after !== undefined &&
      isTransition(
        s,
        part((p) => p > last),
        instances[k]!,
        after,
      ),
  ]
}

function endsOf(at: Int32Array): [number, number] {
  let first = NONE
  let last = NONE
  for (let c = 0; c < at.length; c++) {
    const p = at[c]!
    if (p === NONE) continue
    if (first === NONE || p < first) first = p
    if (p > last) last = p
  }
  return [first, last]
}

/** True if `nodes` compute with weights and all values from one instance to the next pass through them. */
function isTransition(s: Structure, nodes: Int32Array, from: RunInstance, to: RunInstance): boolean {
  let compute = 0
  for (const p of nodes) if (s.slots.count(p) > 0) compute++
  if (compute < LEAST_COMPUTE || compute === nodes.length || nodes.length > to.at.length * MOST) return false
  const between = new Set(nodes)
  const source = new Set(from.members)
  const takes = (p: number): boolean => s.slots.of(p).some((input) => source.has(input) && !between.has(input))
  return nodes.some(takes) && !to.members.some((p) => !between.has(p) && takes(p))
}
