/** A message: nodes and source lines as links, operators and code marked, the rest as text. */
import { Fragment } from 'react'
import type { Message, MessagePart } from '../../base/message'
import type { GraphView } from '../../engine/protocol'
import { positions } from '../../engine/queries/report_index'
import { NodeLink } from './NodeLink'
import { SourceLink } from './SourceLink'
import { useMarked } from './terms'

/**
 * @param graph nodes of this graph become links; without it no node is a link
 * @param after the same for nodes of the rewritten graph
 */
export function MessageText({
  message,
  graph = null,
  after = null,
}: {
  message: Message
  graph?: GraphView | null
  after?: GraphView | null
}) {
  return message.map((part, i) => (
    <Fragment key={i}>
      <Part part={part} graph={graph} after={after} />
    </Fragment>
  ))
}

function Part({ part, graph, after }: { part: MessagePart; graph: GraphView | null; after: GraphView | null }) {
  const mark = useMarked()
  if (typeof part === 'string') return mark(part)
  if ('note' in part) return ` (${part.note})`
  if ('operator' in part) return <code>{part.operator}</code>
  if ('code' in part) return <code>{part.code}</code>
  if ('source' in part) return <SourceLink source={part.source} />
  const side = part.side ?? 'before'
  const known = side === 'after' ? after : graph
  return known && positions(known).has(part.node) ? <NodeLink name={part.node} side={side} /> : <code>{part.node}</code>
}
