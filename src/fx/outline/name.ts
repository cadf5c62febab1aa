/** What messages and drawings call the instances of a group. */
import type { OutlineGroup } from './types'

type Named = Pick<OutlineGroup, 'id' | 'parent' | 'label'>

/** `layer`, `attention`, …; `period` for layers of several kinds that repeat together: what is in it are the layers. */
export function nameOfGroup({ id, label }: Named, groups: readonly Named[]): string | null {
  return groups.some((g) => g.parent === id && g.label === 'layer') ? 'period' : label
}
