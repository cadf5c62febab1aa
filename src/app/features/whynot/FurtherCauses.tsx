/** The causes of a near miss after the first. */
import type { Cause, Report } from '../../../engine/protocol'
import { NodeLink } from '../../ui/NodeLink'
import { CauseSentence, Sides } from './CauseView'
import { FixCards } from './FixCard'
import styles from './NearMissCard.module.css'
import type { PassMiss } from '../../../engine/queries/why_not'

interface FurtherProps {
  report: Report
  of: PassMiss
  causes: readonly Cause[]
}

/** The further causes: a fix for the first cause alone is not enough. How the layer differs from its siblings is in sight. */
export function Further({ report, of, causes }: FurtherProps) {
  const isLayer = ({ kind }: Cause): boolean => kind === 'unlike-layers'
  return (
    <>
      {causes.filter(isLayer).map((cause, i) => (
        <div key={i} className={styles.further} data-testid="layer-cause">
          <CauseSentence report={report} cause={cause} />
          {cause.graphNode !== null && !cause.parts.some((p) => typeof p !== 'string' && 'node' in p) && (
            <p>
              At <NodeLink name={cause.graphNode} />
            </p>
          )}
        </div>
      ))}
      <InTheWay {...{ report, of }} causes={causes.filter((c) => !isLayer(c))} />
    </>
  )
}

function InTheWay({ report, of, causes }: FurtherProps) {
  if (causes.length === 0) return null
  return (
    <details className={styles.further} data-testid="further-causes">
      <summary>{causes.length === 1 ? 'One more cause' : `${causes.length} more causes`} in the way</summary>
      <ol>
        {causes.map((cause, i) => (
          <li key={i}>
            <CauseSentence report={report} cause={cause} />
            <Sides report={report} entry={of.entry} cause={cause} />
            <FixCards report={report} fixes={cause.fixes} />
          </li>
        ))}
      </ol>
    </details>
  )
}
