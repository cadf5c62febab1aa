import { Fragment } from 'react'
import type { GraphView } from '../../engine/protocol'
import { positions } from '../session/report_index'
import { NodeLink } from './NodeLink'

/** Names of operators, and of nodes that carry a number: words of the language have neither. */
const NAME = /`[^`]+`|\b(?:aten|prims|_C\w*|torch|operator|higher_order)(?:\.\w+)+|\b[A-Za-z_]\w*_\d+\b/g

/**
 * A plain sentence: names between backticks and of operators are set as code, and names of the graph's nodes lead to
 * them.
 * @param also node names that would read as plain words otherwise: `mul`, `empty`
 */
export function Sentence({
  text,
  graph = null,
  also = [],
}: {
  text: string
  graph?: GraphView | null
  also?: readonly (string | null)[]
}) {
  const known = graph && positions(graph)
  const plain = also.flatMap((n) => (n && known?.has(n) && /^\w+$/.test(n) ? [n] : []))
  const names =
    plain.length > 0 ? new RegExp(`${NAME.source}|(?<![\\w.])(?:${plain.join('|')})(?!\\w|\\.\\w)`, 'g') : NAME
  const parts: React.ReactNode[] = []
  let end = 0
  for (const found of text.matchAll(names)) {
    const name = found[0].replace(/`/g, '')
    parts.push(text.slice(end, found.index))
    end = found.index + found[0].length
    const node = known?.has(name) ?? false
    if (node) parts.push(<NodeLink name={name} />)
    else if (found[0] !== name || name.includes('.')) parts.push(<code>{name}</code>)
    else parts.push(found[0])
  }
  parts.push(text.slice(end))
  return (
    <>
      {parts.map((part, i) => (
        <Fragment key={i}>{part}</Fragment>
      ))}
    </>
  )
}
