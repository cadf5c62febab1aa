/** Rows of the outline: groups, their instances, and the groups inside these. */
import { capitalized, instanceTitle } from '../../fold/block_text'
import { instanceKey } from '../../fold/grouping'
import { stacksOf } from '../../fold/stacks'
import type { FoldGroup, FoldInstance, Grouping } from '../../fold/types'
import type { TreeItem } from '../../commands/tree_keys'

/** For an instance, the id is its key. */
export interface OutlineRow extends TreeItem<string> {
  label: string
  /** Indices into Grouping.instances: one for an instance, all shown below it for a group. */
  instances: readonly number[]
  /** `has no residual add`, or the number of instances that differ. */
  differs: string | null
}

/** Groups with more instances than this are folded at first. */
const MANY = 64

/** @param toggled ids of the rows whose state differs from the initial one */
export function outlineRows(grouping: Grouping, toggled: ReadonlySet<string>): OutlineRow[] {
  const rows: OutlineRow[] = []
  const children = (group: FoldGroup | null): FoldGroup[] =>
    grouping.groups.filter((g) => g.parent === (group?.index ?? null))
  const addGroup = (group: FoldGroup, outer: number | null, parent: string | null, depth: number): void => {
    const all = Array.from({ length: group.times }, (_, i) => group.first + i)
    const instances = outer === null ? all : all.filter((i) => grouping.instances[i]!.parent === outer)
    const count = instances.length
    // A layer's only attention needs no row for its group.
    if (count < 2) return instances.forEach((i) => addInstance(i, parent, depth))
    const id = `${group.key}@${outer ?? ''}`
    const open = (depth === 0 && count <= MANY) !== toggled.has(id)
    const differing = new Set(group.differs.map((d) => d.instance).filter((k) => instances.includes(group.first + k)))
    const stack = stacksOf(grouping).get(group.index)
    const label = `${capitalized(group)} × ${count}${stack === undefined ? '' : ` · stack ${stack}`}`
    const differs = differing.size > 0 ? `${differing.size} of ${count} differ` : null
    rows.push({ id, parent, depth, label, instances, open, differs })
    if (open) for (const i of instances) addInstance(i, id, depth + 1)
  }
  const addInstance = (index: number, parent: string | null, depth: number): void => {
    const instance = grouping.instances[index]!
    const id = instanceKey(instance)
    const inner = children(instance.group)
    const open = inner.length === 0 ? null : toggled.has(id)
    rows.push({
      id,
      parent,
      depth,
      label: instanceTitle(instance),
      instances: [index],
      open,
      differs: differenceOf(instance),
    })
    if (open) for (const group of inner) addGroup(group, index, id, depth + 1)
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
