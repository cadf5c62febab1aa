/** Lints of fired patterns: message, node, source line. */
import type { EntryReport, Lint, PassReport, Report } from '../../../engine/protocol'
import { markOf } from '../../../engine/queries/report_index'
import { count } from '../../../base/english'
import type { ReactNode } from 'react'
import { PatternBadge } from '../../ui/PatternBadge'
import { MessageText } from '../../ui/MessageText'
import { NodeLink } from '../../ui/NodeLink'
import { SourceLink } from '../../ui/SourceLink'
import { css, cx } from '../../ui/css'
import styles from './Lints.module.css'
import missStyles from './misses.module.css'

/** One lint with its pass and pattern. */
export interface LintFinding {
  pass: PassReport
  entry: EntryReport | null
  lint: Lint
}

/** @param bare omits badges: all lints belong to the one pattern named above @param more rendered after a lint: its fixes */
export function Lints({
  report,
  lints,
  bare = false,
  more,
}: {
  report: Report
  lints: readonly LintFinding[]
  bare?: boolean
  more?: (lint: Lint) => ReactNode
}) {
  if (lints.length === 0) return null
  return (
    <section
      className={styles.lints}
      data-bare={bare || undefined}
      aria-label="Lints of fired patterns"
      data-testid="lints"
    >
      <h3 className={missStyles.title}>{count(lints.length, 'lint')} of fired patterns</h3>
      <ul>
        {lints.map(({ pass, lint }, i) => (
          <li key={i}>
            <p className={cx(missStyles.sentence, css.breaks)}>
              {!bare && <PatternBadge mark={markOf(report, pass.name, lint.entry)} />}
              <span>
                <MessageText message={lint.parts} graph={report.graph} after={report.after} />{' '}
                <span className={missStyles.kind}>{lint.kind === 'other' ? '' : lint.kind.replace(/-/g, ' ')}</span>
              </span>
            </p>
            <p className={cx(css.muted, styles.facts)}>
              {lint.times > 0 && <span>{count(lint.times, 'match', 'matches')}</span>}
              {lint.graphNode && <NodeLink name={lint.graphNode} />}
              {lint.source && <SourceLink source={lint.source} />}
            </p>
            {more?.(lint)}
          </li>
        ))}
      </ul>
    </section>
  )
}
