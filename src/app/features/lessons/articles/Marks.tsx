/** The claims that a step of an article plays, each with whether PyTorch confirms it; and the article's source. */
import { Badge } from '../../../ui/Badge'
import type { LessonFile, Mark } from '../../../../engine/lessons/catalog'
import { InlineText } from '../InlineText'
import styles from './Marks.module.css'
import { css, cx } from '../../../ui/css'

export const MARK_LABELS: Readonly<Record<Mark['is'], string>> = {
  confirmed: 'Confirmed on PyTorch 2.14.1',
  differs: 'Differs',
  'not-confirmed': 'Not confirmed',
}

const TONES = { confirmed: 'good', differs: 'warn', 'not-confirmed': undefined } as const

export function Marks({ marks }: { marks: readonly Mark[] }) {
  return (
    <ul className={css.stack} aria-label="Claims of the article" data-testid="article-marks">
      {marks.map(({ is, claim, seen, recording }) => (
        <li key={claim} className={styles.mark} data-is={is}>
          <p>
            <Badge tone={TONES[is]}>{MARK_LABELS[is]}</Badge> <InlineText text={claim} />
          </p>
          {seen && (
            <p>
              <InlineText text={seen} />
            </p>
          )}
          {recording && (
            <p className={cx(css.small, css.muted)}>
              Recording: <code>{`conformance/${recording.file}`}</code>
              {recording.id && (
                <>
                  , case <code>{recording.id}</code>
                </>
              )}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Where the article was published; nothing for a lesson. */
export function Source({ of: { source } }: { of: LessonFile }) {
  if (!source) return null
  return (
    <p className={cx(css.small, css.muted)}>
      After “{source.title}”, {source.by}. Retold in our words and played on the engine of this page.
    </p>
  )
}
