/** The reported failures in the gallery, found by the words of their symptoms. */
import { useEffect } from 'react'
import { loadReported, openReported, reportedWith, useReported, type ReportedFailure } from './reported'
import styles from './Gallery.module.css'
import css from '../../ui/text.module.css'

export function Reported({ query }: { query: string }) {
  const list = useReported((s) => s.list)
  useEffect(() => void loadReported(), [])
  const found = reportedWith(list, query)
  if (found.length === 0) return null
  return (
    <section aria-labelledby="gallery-reported">
      <div className={styles.system}>
        <h3 id="gallery-reported">Reported failures</h3>
      </div>
      <ul className={styles.cards}>
        {found.map((failure) => (
          <Card key={failure.id} failure={failure} />
        ))}
      </ul>
    </section>
  )
}

function Card({ failure }: { failure: ReportedFailure }) {
  return (
    <li className={styles.card} data-testid={`reported-${failure.id}`}>
      <button className={styles.cardOpen} data-card-open onClick={() => openReported(failure)}>
        {failure.symptom}
      </button>
      <p>{failure.truth}</p>
      <div className={styles.cardFoot}>
        <span className={css.muted}>{failure.thread}</span>
      </div>
    </li>
  )
}
