/** A pattern or a replacement as a small layered graph; its nodes are selectable. */
import { useMemo } from 'react'
import type { GraphView } from '../../../engine/protocol'
import { MINI, miniLayout } from './mini_layout'
import styles from './MiniGraph.module.css'

export type MiniMark = 'bound' | 'current' | 'bad'

type MiniNode = ReturnType<typeof miniLayout>['nodes'][number]

interface Props {
  graph: GraphView
  label: string
  selected?: ReadonlySet<number>
  hovered?: ReadonlySet<number>
  /** Progress of a match. */
  marks?: ReadonlyMap<number, MiniMark>
  /** Text below a node's name, instead of its own second line. */
  details?: ReadonlyMap<number, string>
  /** Nodes with a breakpoint. */
  dots?: ReadonlySet<number>
  onSelect?(index: number): void
  onHover?(index: number | null): void
}

export function MiniGraph(props: Props) {
  const { graph, label, selected, hovered, marks, details, dots, onSelect, onHover } = props
  const layout = useMemo(() => miniLayout(graph), [graph])
  const at = new Map(layout.nodes.map((n) => [n.index, n]))
  const { width: w, height: h } = MINI
  return (
    <svg
      className={styles.mini}
      viewBox={`-2 -2 ${layout.width + 4} ${layout.height + 4}`}
      style={{ maxWidth: layout.width + 4, '--mini-width': `${layout.width + 4}px` } as React.CSSProperties}
      role="group"
      aria-label={label}
    >
      {layout.edges.map((e) => {
        const a = at.get(e.from)!
        const b = at.get(e.to)!
        const [x1, y1, x2, y2] = [a.x + w / 2, a.y + h, b.x + w / 2, b.y]
        const mid = (y2 - y1) / 2
        return (
          <path
            key={`${e.from}-${e.to}`}
            className={styles.edge}
            d={`M${x1} ${y1}C${x1} ${y1 + mid} ${x2} ${y2 - mid} ${x2} ${y2}`}
          />
        )
      })}
      {layout.nodes.map((n) => (
        <g
          key={n.index}
          transform={`translate(${n.x} ${n.y})`}
          className={styles.node}
          data-kind={n.kind}
          data-selected={selected?.has(n.index) || undefined}
          data-hovered={hovered?.has(n.index) || undefined}
          data-mark={marks?.get(n.index)}
          {...(onSelect && selectable(n, onSelect, onHover))}
        >
          <title>{`${n.label} (${n.detail})`}</title>
          <rect width={w} height={h} rx={3} />
          <text x={w / 2} y={13} textAnchor="middle">
            {clip(n.label, FITS.label)}
          </text>
          <text x={w / 2} y={24} textAnchor="middle" className={styles.detail}>
            {clip(details?.get(n.index) ?? n.detail, FITS.detail)}
          </text>
          {dots?.has(n.index) && <circle className={styles.dot} cx={w - 6} cy={6} r={3.5} />}
        </g>
      ))}
    </svg>
  )
}

/** Attributes that make a node a button. */
function selectable(
  n: MiniNode,
  onSelect: (index: number) => void,
  onHover: ((index: number | null) => void) | undefined,
): React.SVGAttributes<SVGGElement> {
  return {
    role: 'button',
    tabIndex: 0,
    'aria-label': `${n.label}, ${n.detail}`,
    onClick: () => onSelect(n.index),
    onKeyDown: (e: React.KeyboardEvent) => {
      if (e.key !== 'Enter' && e.key !== ' ') return
      e.preventDefault()
      onSelect(n.index)
    },
    onMouseEnter: () => onHover?.(n.index),
    onMouseLeave: () => onHover?.(null),
  }
}

/** Maximum number of characters of a node's name and of its second line. */
const FITS = { label: 18, detail: 18 }
const clip = (s: string, fits: number): string => (s.length > fits ? `${s.slice(0, fits - 1)}…` : s)
