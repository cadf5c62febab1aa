/** A pattern's color and letter, the same in all views. */
import type { PatternMark } from '../../engine/queries/report_index'
import styles from './PatternBadge.module.css'

/** @param hollow the pattern did not fire */
export function PatternBadge({ mark, hollow = false }: { mark: PatternMark; hollow?: boolean }) {
  return (
    <span
      className={styles.badge}
      data-hollow={hollow || undefined}
      data-pattern-badge
      style={{ ['--badge' as string]: `var(--fs-pattern-${mark.color})` }}
      title={`Pattern ${mark.letter}`}
    >
      {mark.letter}
    </span>
  )
}
