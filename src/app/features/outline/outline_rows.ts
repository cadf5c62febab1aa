/** Rows of the outline: groups, their instances, and the groups inside these. */
import { capitalized, instanceTitle } from '../../fold/block_text'
import { instanceKey } from '../../fold/grouping'
import { stacksOf } from '../../fold/stacks'
import type { FoldGroup, FoldInstance, Grouping } from '../../fold/types'

export interface OutlineRow {
  /** Unique in the tree; that of an instance is its key. */
  id: string
  /** `id` of the row around it; null at the top. */
  parent: string | null
  depth: number
  label: string
  /** Indices into Grouping.instances: one for an instance, all shown below it for a group. */
  instances: readonly number[]
  /** Null: nothing is inside. */
  unfolded: boolean | null
  /** `has no residual add`, or the number of instances that differ. */
  differs: string | null
}

/** Groups with more instances than this are folded at first. */
const MANY = 64

/** @param toggled ids of the rows that are not as at first */
export function outlineRows(grouping: Grouping, toggled: ReadonlySet<string>): OutlineRow[] {
  const rows: OutlineRow[] = []
  const children = (group: FoldGroup | null): FoldGroup[] =>
    grouping.groups.filter((g) => g.parent === (group?.index ?? null))
  const addGroup = (group: FoldGroup, outer: number | null, parent: string | null, depth: number): void => {
    const all = Array.from({ length: group.times }, (_, i) => group.first + i)
    const instances = outer === null ? all : all.filter((i) => grouping.instances[i]!.parent === outer)
    const count = instances.length
    // The one attention of a layer needs no row for its group.
    if (count < 2) return instances.forEach((i) => addInstance(i, parent, depth))
    const id = `${group.key}@${outer ?? ''}`
    const unfolded = (depth === 0 && count <= MANY) !== toggled.has(id)
    const differing = new Set(group.differs.map((d) => d.instance).filter((k) => instances.includes(group.first + k)))
    const stack = stacksOf(grouping).get(group.index)
    const label = `${capitalized(group)} × ${count}${stack === undefined ? '' : ` · stack ${stack}`}`
    const differs = differing.size > 0 ? `${differing.size} of ${count} differ` : null
    rows.push({ id, parent, depth, label, instances, unfolded, differs })
    if (unfolded) for (const i of instances) addInstance(i, id, depth + 1)
  }
  const addInstance = (index: number, parent: string | null, depth: number): void => {
    const instance = grouping.instances[index]!
    const id = instanceKey(instance)
    const inner = children(instance.group)
    const unfolded = inner.length === 0 ? null : toggled.has(id)
    rows.push({
      id,
      parent,
      depth,
      label: instanceTitle(instance),
      instances: [index],
      unfolded,
      differs: differenceOf(instance),
    })
    if (unfolded) for (const group of inner) addGroup(group, index, id, depth + 1)
  }
  for (const group of children(null)) addGroup(group, null, null, 0)
  return rows
}

/** `has no residual add (aten.add.Tensor)`, `… and 2 more`. */
export function differenceOf({ group, at }: FoldInstance): string | null {
  const own = group.differs.filter((d) => d.instance === at)
  return own.length === 0 ? null : `${own[0]!.what}${own.length > 1 ? ` and ${own.length - 1} more` : ''}`
}

/** For each instance, the number of these sets of nodes whose first node is in it. */
export function countsOf({ instances, innermost }: Grouping, firstNodes: readonly (number | undefined)[]): Int32Array {
  const counts = new Int32Array(instances.length)
  for (const node of firstNodes)
    for (let i = node === undefined ? -1 : innermost[node]!; i >= 0; i = instances[i]!.parent) counts[i]!++
  return counts
}

export type RowMove = { go: string } | { toggle: string } | null

/** What a key of the tree does at a row. */
export function rowKey(rows: readonly OutlineRow[], at: string, key: string): RowMove {
  const i = rows.findIndex((r) => r.id === at)
  const row = rows[i]
  const go = (r: OutlineRow | undefined): RowMove => (r ? { go: r.id } : null)
  if (!row) return go(rows[0])
  switch (key) {
    case 'ArrowDown':
      return go(rows[i + 1])
    case 'ArrowUp':
      return go(rows[i - 1])
    case 'Home':
      return go(rows[0])
    case 'End':
      return go(rows.at(-1))
    case 'ArrowRight':
      return row.unfolded === null ? null : row.unfolded ? go(rows[i + 1]) : { toggle: row.id }
    case 'ArrowLeft':
      return row.unfolded ? { toggle: row.id } : row.parent === null ? null : { go: row.parent }
    default:
      return null
  }
}
