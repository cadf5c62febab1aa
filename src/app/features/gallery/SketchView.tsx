import type { Sketch } from '../../examples/sketch'
import styles from './SketchView.module.css'
import { css } from '../../ui/css'

/** One step of a sketch's grid, and the box in it, in pixels. */
const STEP = { x: 22, y: 13 }
const BOX = { x: 14, y: 8 }

/** Sketch of the pattern and its replacement. Decorative: the text beside it has the same information. */
export function Sketches({ pattern, replacement }: { pattern: Sketch; replacement: Sketch | null }) {
  return (
    <div className={styles.sketches} aria-hidden="true">
      <SketchView sketch={pattern} />
      {replacement && <span className={css.muted}>→</span>}
      {replacement && <SketchView sketch={replacement} />}
    </div>
  )
}

function SketchView({ sketch }: { sketch: Sketch }) {
  const width = (sketch.width - 1) * STEP.x + BOX.x
  const height = (sketch.height - 1) * STEP.y + BOX.y
  return (
    <svg
      viewBox={`-1 -1 ${width + 2} ${height + 2}`}
      style={{ width: width + 2, flexShrink: sketch.width }}
      focusable="false"
    >
      {sketch.edges.map(([from, to]) => {
        const [a, b] = [sketch.nodes[from]!, sketch.nodes[to]!]
        const [x1, y1] = [a.x * STEP.x + BOX.x, a.y * STEP.y + BOX.y / 2]
        const [x2, y2] = [b.x * STEP.x, b.y * STEP.y + BOX.y / 2]
        const mid = (x1 + x2) / 2
        return <path key={`${from}-${to}`} d={`M${x1} ${y1}C${mid} ${y1} ${mid} ${y2} ${x2} ${y2}`} />
      })}
      {sketch.nodes.map((n, i) => (
        <rect
          key={i}
          x={n.x * STEP.x}
          y={n.y * STEP.y}
          width={BOX.x}
          height={BOX.y}
          rx={2}
          fill={`var(--fc-family-${n.family})`}
        />
      ))}
    </svg>
  )
}
