/** Pairs the nodes of two compared graphs. */
import { memoizeByObject } from '../../base/memoize'
import type { CompareReport } from '../../engine/compare/types'
import type { RewriteMap } from './rewrite_map'

/** For each paired node, its partner in the other graph. */
export const pairsOf = memoizeByObject(({ old, now, pairs }: CompareReport): RewriteMap => {
  const before = new Map<string, readonly string[]>()
  const after = new Map<string, readonly string[]>()
  pairs.forEach((at, i) => {
    if (at < 0) return
    const [a, b] = [old.graph.nodes[i]!.name, now.graph.nodes[at]!.name]
    before.set(a, [b])
    after.set(b, [a])
  })
  return { before, after }
})
