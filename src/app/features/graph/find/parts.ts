/** The repeated parts of a graph that hold each node: "layer 17", "mlp 17". */
import { memoizeByObject } from '../../../../base/memoize'
import type { GraphView } from '../../../../engine/protocol'

/** By index of the node, the outermost part first; nodes outside all parts are absent. */
export const partsOf = memoizeByObject(({ outline = [] }: GraphView): ReadonlyMap<number, readonly string[]> => {
  const parts = new Map<number, string[]>()
  for (const { label, instances } of outline)
    instances.forEach((nodes, i) => {
      for (const n of nodes) {
        const known = parts.get(n)
        const part = `${label} ${i}`
        if (known) known.push(part)
        else parts.set(n, [part])
      }
    })
  return parts
})
