/** Streams and memory pools (node.meta["custom"]): a match must be on a single one, and its replacement inherits it. */
import { NEWEST_RULES, type TorchRules } from '../base/torch_version'
import type { Node, NodeMeta } from '../fx'

type Custom = Readonly<Record<string, unknown>>

const custom = (n: Node): Custom => n.meta.custom ?? {}

/** Text key of a node's stream, memory pool and pool device. */
function contextKey(n: Node, { streams, memoryPools }: TorchRules): string {
  const c = n.meta.custom
  if (!c || !streams) return PLAIN
  if (!memoryPools) return JSON.stringify([c.stream ?? 0, null, null])
  return JSON.stringify([c.stream ?? 0, c.mempool ?? null, c.mempool_device ?? null])
}

/** The key of a node without custom context, the common case. */
const PLAIN = JSON.stringify([0, null, null])

/** Number of distinct streams or memory pools among the nodes. */
export const customContexts = (nodes: readonly Node[], rules: TorchRules = NEWEST_RULES): number =>
  new Set(nodes.map((n) => contextKey(n, rules))).size

/** The context that all nodes share and new nodes inherit; empty if they differ. */
export function commonCustomContext(nodes: readonly Node[]): Custom {
  const first = nodes[0]
  if (!first || customContexts(nodes) !== 1) return {}
  const { stream = 0, mempool, mempool_device } = custom(first)
  const context: Record<string, unknown> = {}
  if (stream !== 0 || nodes.some((n) => 'stream' in custom(n))) context.stream = stream
  if (mempool !== undefined && mempool !== null) Object.assign(context, { mempool, mempool_device })
  return context
}

/** Adds a context to a new node's metadata without overwriting existing entries. */
export function mergeCustomContext(meta: NodeMeta, context: Custom): void {
  if (Object.keys(context).length > 0) meta.custom = { ...context, ...meta.custom }
}
