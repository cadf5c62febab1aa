/** The conditions of code on the graph: those that kept it from an edit, and each condition on a selected node with its answer. */
import type { ReactNode } from 'react'
import { count } from '../../../base/english'
import { conditionMessage, conditionsOfNode, keptFrom } from '../../../engine/pipeline/condition_text'
import type { PipelineStage, StageCondition } from '../../../engine/pipeline/types'
import type { Report } from '../../../engine/protocol'
import { useView } from '../../session/view_store'
import { MessageText } from '../../ui/MessageText'
import { SourceLink } from '../../ui/SourceLink'
import { css, cx } from '../../ui/css'
import styles from './Conditions.module.css'

interface StageConditionsProps {
  report: Report
  stage: PipelineStage
  /** Shown below a condition that kept the code from an edit. */
  more?: (condition: StageCondition) => ReactNode
}

export function StageConditions({ report, stage, more }: StageConditionsProps) {
  const selected = useView((s) => (s.selection?.kind === 'node' ? s.selection.name : null))
  const all = stage.did?.conditions ?? []
  if (all.length === 0) return null
  const kept = keptFrom(stage)
  return (
    <section
      aria-label={`Conditions of ${stage.name}`}
      className={cx(styles.conditions, css.breaks, css.padTight)}
      data-testid="stage-conditions"
    >
      <h3>
        {stage.name}
        {kept.length > 0 && (
          <span className={css.muted}> · what kept it from {stage.did?.edits ? 'further edits' : 'an edit'}</span>
        )}
      </h3>
      {kept.length > 0 && (
        <ul>
          {kept.map((condition, i) => (
            <li key={i}>
              <MessageText message={conditionMessage(condition)} graph={report.graph} />
              {more?.(condition)}
            </li>
          ))}
        </ul>
      )}
      {selected !== null && <OfNode node={selected} conditions={all} />}
      <details>
        <summary>{count(all.length, 'condition')} that it asked</summary>
        <table>
          <thead>
            <tr>
              <th>Condition</th>
              <th>Line</th>
              <th className={css.num}>True</th>
              <th className={css.num}>False</th>
            </tr>
          </thead>
          <tbody>
            {all.map(({ text, source, counts }, i) => (
              <tr key={i}>
                <td>
                  <code>{text}</code>
                </td>
                <td>
                  <SourceLink source={source} />
                </td>
                <td className={css.num}>{counts[0]}</td>
                <td className={css.num}>{counts[1]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}

function OfNode({ node, conditions }: { node: string; conditions: readonly StageCondition[] }) {
  const asked = conditionsOfNode(conditions, node)
  return (
    <div aria-label={`Conditions that were asked of ${node}`}>
      {asked.length === 0 ? (
        <p className={css.muted}>
          The code asked nothing of <code>{node}</code>.
        </p>
      ) : (
        <>
          <p>
            Asked of <code>{node}</code>:
          </p>
          <ul>
            {asked.map(({ condition: { text, source }, answers }, i) => (
              <li key={i}>
                <code>{text}</code> <b>{answers}</b> <SourceLink source={source} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
