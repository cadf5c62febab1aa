/**
 * The registration tree: pass → class → axes → leaf, built from the registrations' bindings alone. An axis is a binding
 * that distinguishes registrations of one class (axes.ts).
 */
import { axesOf } from './axes'
import type { EntryReport, PassReport, TreeNode } from '../protocol'

export function registrationTree(passes: readonly PassReport[]): TreeNode[] {
  return passes.map((pass) => {
    const entries = pass.entries.toSorted((a, b) => (a.order ?? a.index) - (b.order ?? b.index))
    const classes = groupBy(entries, (e) => e.title)
    const children = [...classes].map(([title, entries]) =>
      entries.length === 1 ? leaf(pass, entries[0]!, title) : branch(pass, entries, title),
    )
    return parent('pass', pass.name, pass.name, children)
  })
}

function branch(pass: PassReport, entries: EntryReport[], title: string): TreeNode {
  const axes = entries[0]!.axes ?? axesOf(entries).map((a) => a.name)
  return parent('class', title, pass.name, split(pass, entries, axes))
}

function split(pass: PassReport, entries: EntryReport[], axes: readonly string[]): TreeNode[] {
  const [axis, ...rest] = axes
  if (axis === undefined) return entries.map((e) => leaf(pass, e, `${e.title}, no. ${e.index + 1}`))
  const groups = groupBy(entries, (e) => e.bindings[axis])
  if (groups.size === 1) return split(pass, entries, rest)
  const shared = sharedStart([...groups.keys()].filter((v) => v !== undefined))
  return [...groups].map(([value, members]) => {
    const shown = shared > 0 ? `…${value?.slice(shared)}` : value
    const label = value === undefined ? `no ${axis}` : `${axis} = ${shown}`
    const node =
      members.length === 1
        ? leaf(pass, members[0]!, label)
        : parent('axis', label, pass.name, split(pass, members, rest))
    return { ...node, axis, ...(value === undefined ? {} : { value }) }
  })
}

/** Values longer than this, in characters, are shortened to where they differ. */
const LONG = 40

/** Number of characters to omit from the common start of long values. */
function sharedStart(values: readonly string[]): number {
  if (values.every((v) => v.length <= LONG)) return 0
  let n = 0
  while (n < values[0]!.length && values.every((v) => v[n] === values[0]![n])) n++
  const kept = 12
  return Math.max(0, n - kept)
}

function leaf(pass: PassReport, entry: EntryReport, label: string): TreeNode {
  return { kind: 'leaf', label, fired: entry.fired, leaves: 1, pass: pass.name, entry: entry.index, children: [] }
}

function parent(kind: TreeNode['kind'], label: string, pass: string, children: TreeNode[]): TreeNode {
  const sum = (pick: (c: TreeNode) => number): number => children.reduce((n, c) => n + pick(c), 0)
  return { kind, label, pass, children, fired: sum((c) => c.fired), leaves: sum((c) => c.leaves) }
}

function groupBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const k = key(item)
    const group = groups.get(k)
    if (group) group.push(item)
    else groups.set(k, [item])
  }
  return groups
}
