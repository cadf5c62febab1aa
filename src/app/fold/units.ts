/** Divides the nodes of a graph into drawn nodes and blocks. */
import { instanceKey } from './grouping'
import { SHOWN, type Block, type Grouping, type OpenInstances, type Visibility } from './types'

export interface Units {
  blocks: Block[]
  /** Index into `blocks` by node; -1 for a node that is in none. */
  blockOf: Int32Array
  /** 1 for an instance whose content is drawn, by index into Grouping.instances. */
  opened: Uint8Array
}

export function unitsOf(grouping: Grouping, open: OpenInstances, visible: Visibility | null): Units {
  const { instances, innermost } = grouping
  const folded = outermostFolded(grouping, open)
  const opened = Uint8Array.from(folded, (at) => (at < 0 ? 1 : 0))
  const blocks: (Block & { nodes: number[] })[] = []
  const blockAt = new Int32Array(instances.length).fill(-1)
  instances.forEach(({ group, parent, nodes, title }, i) => {
    if (folded[i] !== i) return
    const shown = visible ? nodes.filter((n) => visible[n] === SHOWN) : nodes
    // A block of a single node would hide it and save no space.
    if (shown.length === 0 || (shown.length === 1 && !group.runs)) return
    const last = blocks.at(-1)
    const joins = group.runs && last?.group === group && last.last === i - 1 && instances[i - 1]!.parent === parent
    if (joins) {
      last.last = i
      for (const n of shown) last.nodes.push(n)
      if (title !== undefined) last.titles = [last.titles![0], title]
    } else {
      const titles = title === undefined ? {} : { titles: [title, title] as const }
      blocks.push({ group, first: i, last: i, nodes: [...shown], inputsLeftOut: 0, ...titles })
    }
    blockAt[i] = blocks.length - 1
  })
  const blockOf = innermost.map((i) => (i < 0 || folded[i]! < 0 ? -1 : blockAt[folded[i]!]!))
  return { blocks, blockOf, opened }
}

/** For each instance, the outermost folded instance among itself and those around it; -1 if all are open. */
function outermostFolded({ instances }: Grouping, open: OpenInstances): Int32Array {
  const folded = new Int32Array(instances.length)
  instances.forEach((instance, i) => {
    const outer = instance.parent < 0 ? -1 : folded[instance.parent]!
    folded[i] = outer >= 0 ? outer : open.has(instanceKey(instance)) ? -1 : i
  })
  return folded
}
