/** Renders blocks of Markdown as elements; their text is never parsed as HTML. */
import { Fragment, type ReactNode } from 'react'
import { useMarked } from '../ui/terms'
import type { Block, Span } from './markdown'
import styles from './Markdown.module.css'

/**
 * @param link renders a link; null renders it as text
 * @param rowId the id of a table's row by its first cell
 * @param wide as wide as its container
 */
export function Markdown({
  blocks,
  link,
  rowId,
  wide,
}: {
  blocks: readonly Block[]
  link(to: string, text: string): ReactNode
  rowId?(cell: readonly Span[]): string | undefined
  wide?: boolean
}) {
  const mark = useMarked()
  const spans = (all: readonly Span[]): ReactNode =>
    all.map((s, i) => {
      if (s.kind === 'code') return <code key={i}>{s.text}</code>
      if (s.kind === 'strong') return <strong key={i}>{s.text}</strong>
      return <Fragment key={i}>{s.kind === 'link' ? (link(s.to, s.text) ?? s.text) : mark(s.text)}</Fragment>
    })
  return (
    <div className={styles.prose} data-wide={wide || undefined}>
      {blocks.map((b, i) => {
        if (b.kind === 'heading')
          return b.level === 1 ? <h2 key={i}>{spans(b.text)}</h2> : <h3 key={i}>{spans(b.text)}</h3>
        if (b.kind === 'code')
          return (
            <pre key={i} tabIndex={0}>
              {b.text}
            </pre>
          )
        if (b.kind === 'paragraph') return <p key={i}>{spans(b.text)}</p>
        if (b.kind === 'table') return <Table key={i} table={b} spans={spans} rowId={rowId} />
        const items = b.items.map((item, k) => <li key={k}>{spans(item)}</li>)
        return b.ordered ? <ol key={i}>{items}</ol> : <ul key={i}>{items}</ul>
      })}
    </div>
  )
}

function Table({
  table: { head, rows, right },
  spans,
  rowId,
}: {
  table: Extract<Block, { kind: 'table' }>
  rowId: ((cell: readonly Span[]) => string | undefined) | undefined
  spans(all: readonly Span[]): ReactNode
}) {
  return (
    <table>
      <thead>
        <tr>
          {head.map((cell, i) => (
            <th key={i} data-right={right[i] || undefined}>
              {spans(cell)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, k) => (
          <tr key={k} id={rowId?.(row[0] ?? [])}>
            {row.map((cell, i) => (
              <td key={i} data-right={right[i] || undefined}>
                {spans(cell)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
