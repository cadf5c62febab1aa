/** Names for the instances of a group in messages and drawings. */
import type { OutlineGroup } from './types'

type Named = Pick<OutlineGroup, 'id' | 'parent' | 'label'>

/** `layer`, `attention`, …; `period` for layers of several kinds that repeat together, because the layers are inside it. */
export function nameOfGroup({ id, label }: Named, groups: readonly Named[]): string | null {
  return groups.some((g) => g.parent === id && g.label === 'layer') ? 'period' : label
}
