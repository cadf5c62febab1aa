/** Shows whether a compile-cache entry is still valid, and which change invalidated it. */
import type { Pipeline } from '../../../engine/pipeline/types'
import { takeBaseline } from '../../on_screen/stage/stage_requests'
import { invalidatedBy, sourceOnly } from '../../report/pipeline'
import { usePipeline } from '../../on_screen/stage/store'
import { LinkButton } from '../../ui/Button'
import styles from './CachePart.module.css'
import { css } from '../../ui/css'

/** Maximum number of listed passes; the rest are counted. */
const NAMED = 4

export function CachePart({ pipeline }: { pipeline: Pipeline }) {
  const baseline = usePipeline((s) => s.baseline)
  if (!baseline || pipeline.uuid === null) return null
  const found = invalidatedBy(baseline.pipeline, pipeline)
  const since = new Date(baseline.at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return (
    <section className={styles.cache} aria-label="Compile cache" data-testid="compile-cache">
      <p>
        Compile cache <code title={pipeline.uuid}>{pipeline.uuid.slice(0, 12)}</code>
      </p>
      {found.length === 0 ? (
        <p className={css.muted}>None of its parts changed since {since}.</p>
      ) : (
        <>
          <p>A compile cache of {since} would be invalidated by:</p>
          <ul>
            {found.map((f) => (
              <li key={f.what}>
                <strong>{f.what}</strong>{' '}
                <span className={css.muted}>
                  {f.passes.length > NAMED ? `in ${f.passes.length} passes` : f.passes.join(', ')}
                </span>
              </li>
            ))}
          </ul>
          {sourceOnly(found) && (
            <p className={css.muted}>
              No pattern changed. A uuid hashes the source text, so a changed comment is enough.
            </p>
          )}
          <LinkButton onClick={takeBaseline}>Compare from now on</LinkButton>
        </>
      )}
    </section>
  )
}
