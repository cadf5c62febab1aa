/** A pattern's colour and letter, the same wherever the pattern is named. */
import type { PatternMark } from '../session/report_index'

export function PatternBadge({ mark, hollow = false }: { mark: PatternMark; hollow?: boolean }) {
  return (
    <span
      className={`pattern-badge ${hollow ? 'hollow' : ''}`}
      style={{ ['--badge' as string]: `var(--fs-pattern-${mark.colour})` }}
      title={`Pattern ${mark.letter}`}
    >
      {mark.letter}
    </span>
  )
}
