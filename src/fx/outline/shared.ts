/** What several instances of a run use, and none of them computes. */
import { NONE, type Alignment } from './columns'
import type { Structure } from './order'

/**
 * Nodes without a column that several instances use, and what these need: rotary tables, masks. They stand in the first
 * instance that uses them, but belong to none.
 * @param bounds ends of the instances
 */
export function sharedNodes(s: Structure, a: Alignment, bounds: readonly number[]): Uint8Array {
  const origin = a.starts[0]!
  const length = a.column.length
  const shared = new Uint8Array(length)
  // What the run computes is not shared.
  const computed = new Uint8Array(length)
  for (let i = 0; i < length; i++) {
    for (let j = s.slots.starts[i + origin]!; j < s.slots.starts[i + origin + 1]!; j++) {
      const input = s.slots.items[j]! - origin
      if (input >= 0 && input < length && (computed[input] || a.column[input] !== NONE)) computed[i] = 1
    }
  }
  const owner = new Int32Array(length)
  for (let k = 0, i = 0; i < length; i++) {
    while (k < bounds.length && i + origin >= bounds[k]!) k++
    owner[i] = k
  }
  for (let i = length - 1; i >= 0; i--) {
    if (a.column[i] !== NONE || computed[i]) continue
    let owners = 0
    let last = NONE
    let some = false
    const users = s.users.of(i + origin)
    for (let j = 0; j < users.length; j++) {
      const u = users[j]! - origin
      const outside = u < 0 || u >= length
      if (!outside && shared[u]) some = true
      else if (!outside) {
        if (owner[u]! !== last) owners++
        last = owner[u]!
      }
    }
    if (owners > 1 || some) shared[i] = 1
  }
  shareChecks(s, a, shared)
  return shared
}

/** What no column uses in the end is with its inputs: a check of a mask, or of the indices of experts. */
function shareChecks(s: Structure, a: Alignment, shared: Uint8Array): void {
  const origin = a.starts[0]!
  const length = shared.length
  const unused = new Uint8Array(length)
  for (let i = length - 1; i >= 0; i--) {
    if (a.column[i] !== NONE) continue
    const users = s.users.of(i + origin)
    let j = 0
    while (j < users.length && unused[users[j]! - origin] === 1) j++
    if (j === users.length) unused[i] = 1
  }
  const outside = (i: number): boolean => i < 0 || i >= length || shared[i] === 1
  for (let i = 0; i < length; i++) {
    if (unused[i] && s.slots.count(i + origin) > 0 && s.slots.of(i + origin).every((input) => outside(input - origin)))
      shared[i] = 1
  }
}
