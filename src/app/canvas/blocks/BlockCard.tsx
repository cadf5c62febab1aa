/** A folded run of instances: its title, size, matches and differences, and what opens it. */
import type { CSSProperties } from 'react'
import { thousands } from '../../../base/english'
import { blockDetail, blockDifference, blockTitle } from '../../fold/block_text'
import type { Block } from '../../fold/types'
import { css, cx } from '../../ui/css'
import { PATTERN_COLORS } from '../types'
import { tallyText, type Tally } from './tallies'
import styles from './BlockCard.module.css'

export interface BlockState {
  'data-selected': true | undefined
  'data-hovered': true | undefined
  'data-mark': string | undefined
}

const MAX_TALLIES = 3

interface BlockCardProps {
  block: Block
  tallies: readonly Tally[]
  /** Number of nodes inside that Find found. */
  found: number
  state: BlockState
}

export function BlockCard({ block, tallies, found, state }: BlockCardProps) {
  const several = block.last > block.first
  const differs = blockDifference(block)
  return (
    <div className={styles.block} data-block={blockTitle(block)} data-several={several || undefined} {...state}>
      <div className={css.baseline}>
        <span className={styles.title}>{blockTitle(block)}</span>
        <span className={styles.open} data-open="first">
          {several ? 'Open one' : 'Open'}
        </span>
        {several && (
          <span className={styles.open} data-open="all">
            all
          </span>
        )}
      </div>
      <div className={cx(styles.detail, css.ellipsis)}>{blockDetail(block)}</div>
      {(tallies.length > 0 || found > 0) && (
        <div className={styles.tallies}>
          {found > 0 && <span className={styles.found}>{thousands(found)} found</span>}
          {tallies.slice(0, MAX_TALLIES).map((t) => (
            <span key={t.letter + t.kind} className={styles.tally} data-pattern-group={t.group}>
              <span
                className={styles.badge}
                data-kind={t.kind}
                style={{ '--pattern': `var(--fs-pattern-${t.color % PATTERN_COLORS})` } as CSSProperties}
              >
                {t.letter}
              </span>
              {tallyText(t)}
            </span>
          ))}
        </div>
      )}
      {differs !== null && <div className={cx(styles.differs, css.ellipsis)}>{differs}</div>}
    </div>
  )
}
