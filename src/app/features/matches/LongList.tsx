/**
 * A list whose parts are rendered when they come into view: rendering a thousand rows at once stalls the page when a report
 * arrives.
 */
import { useEffect, useRef, useState, type ReactNode } from 'react'

/** Number of rows in a part. */
const PART = 100
/** Height of a row that is not rendered yet, in CSS pixels. */
const ROW_HEIGHT = 24

interface Props<T> {
  label: string
  items: readonly T[]
  /** Renders a row as `<li>`, with a key. */
  row(item: T): ReactNode
  /** Index of a row that is rendered at once: the selected one. */
  needed?: number
}

export function LongList<T>({ label, items, row, needed = -1 }: Props<T>) {
  const parts = Array.from({ length: Math.ceil(items.length / PART) }, (_, i) => items.slice(i * PART, (i + 1) * PART))
  return parts.map((part, i) => {
    const from = i * PART
    const name = parts.length === 1 ? label : `${label}, ${from + 1} to ${from + part.length}`
    return (
      <Part key={from} rows={part.length} now={i === 0 || Math.floor(needed / PART) === i}>
        {() => <ul aria-label={name}>{part.map(row)}</ul>}
      </Part>
    )
  })
}

function Part({ rows, now, children }: { rows: number; now: boolean; children: () => ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(now || typeof IntersectionObserver === 'undefined')
  const shown = seen || now
  useEffect(() => {
    if (shown) return setSeen(true)
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((e) => e.isIntersecting)) setSeen(true)
    })
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [shown])
  return (
    <div ref={ref} style={shown ? undefined : { height: rows * ROW_HEIGHT }}>
      {shown && children()}
    </div>
  )
}
