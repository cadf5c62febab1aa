/** Marks a result that rests on answers of stubs, with the lines that used them. */
import type { Report } from '../../../engine/protocol'
import { decisionText, stubDecisions } from '../../../engine/report/stub_decisions'
import { count } from '../../../base/english'
import { Notice } from '../../ui/Messages'
import { SourceLink } from '../../ui/SourceLink'
import { css, cx } from '../../ui/css'

/** Decisions shown without unfolding. */
const MAX_SHOWN = 3

export function StubNotice({ report }: { report: Report }) {
  const decisions = stubDecisions(report.stubs, report.passes)
  if (decisions.length === 0) return null
  const rest = decisions.length - MAX_SHOWN
  return (
    <div className={cx(css.small, css.ruled, css.pad)} data-testid="stub-notice">
      <Notice tone="warn">
        This result rests on {decisions.length === 1 ? 'the answer of a stub' : `${decisions.length} answers of stubs`}:
        with the real module it may differ.
      </Notice>
      <ul>
        {decisions.slice(0, MAX_SHOWN).map((d, i) => (
          <li key={i} className={cx(css.wrap)}>
            {d.source && (
              <>
                <SourceLink source={d.source} />{' '}
              </>
            )}
            <span className={css.mono}>
              {d.module}.{decisionText(d)}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className={css.muted}>{count(rest, 'more answer')}: see Console.</p>}
    </div>
  )
}
