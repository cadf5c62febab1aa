/**
 * The registration tree: pass → class → axes → leaf, drawn from what the registrations were made with and from
 * nothing else. An axis is a binding whose value differs among the registrations of one class; a binding that only
 * repeats another (group_size beside quant_key) adds no level and is shown with it.
 */
import type { EntryReport, PassReport, TreeNode } from './protocol'

export function registrationTree(passes: readonly PassReport[]): TreeNode[] {
  return passes.map((pass) => {
    const classes = groupBy(pass.entries, (e) => e.title)
    const children = [...classes].map(([title, entries]) =>
      entries.length === 1 ? leaf(pass, entries[0]!, title) : branch(pass, entries, title),
    )
    return parent('pass', pass.name, pass.name, children)
  })
}

function branch(pass: PassReport, entries: EntryReport[], title: string): TreeNode {
  const axes = axesOf(entries)
  return parent('class', title, pass.name, split(pass, entries, axes))
}

function split(pass: PassReport, entries: EntryReport[], axes: readonly string[]): TreeNode[] {
  const [axis, ...rest] = axes
  if (axis === undefined) return entries.map((e) => leaf(pass, e, e.title))
  const groups = groupBy(entries, (e) => e.bindings[axis] ?? '(none)')
  if (groups.size === 1) return split(pass, entries, rest)
  return [...groups].map(([value, members]) => {
    const label = `${axis} = ${value}`
    const node =
      members.length === 1
        ? leaf(pass, members[0]!, label)
        : parent('axis', label, pass.name, split(pass, members, rest))
    return { ...node, axis, value }
  })
}

/**
 * Bindings that differ among `entries`, outermost first: the one that changes least often in registration order was
 * the outer loop. Of bindings that split the entries in the same way the first-named stays.
 */
export function axesOf(entries: readonly EntryReport[]): string[] {
  const names = [...new Set(entries.flatMap((e) => Object.keys(e.bindings)))]
  const seen = new Set<string>()
  const axes: { name: string; changes: number }[] = []
  for (const name of names) {
    const values = entries.map((e) => e.bindings[name] ?? '(none)')
    const ids = new Map<string, number>()
    const partition = values.map((v) => ids.get(v) ?? (ids.set(v, ids.size), ids.size - 1))
    if (ids.size < 2) continue
    const key = partition.join(',')
    if (seen.has(key)) continue
    seen.add(key)
    axes.push({ name, changes: values.filter((v, i) => i > 0 && v !== values[i - 1]).length })
  }
  return axes.sort((a, b) => a.changes - b.changes).map((a) => a.name)
}

function leaf(pass: PassReport, entry: EntryReport, label: string): TreeNode {
  return { kind: 'leaf', label, fired: entry.fired, leaves: 1, pass: pass.name, entry: entry.index, children: [] }
}

function parent(kind: TreeNode['kind'], label: string, pass: string, children: TreeNode[]): TreeNode {
  const sum = (pick: (c: TreeNode) => number): number => children.reduce((n, c) => n + pick(c), 0)
  return { kind, label, pass, children, fired: sum((c) => c.fired), leaves: sum((c) => c.leaves) }
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const k = key(item)
    const group = groups.get(k)
    if (group) group.push(item)
    else groups.set(k, [item])
  }
  return groups
}
