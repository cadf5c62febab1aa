/** Summary of a class of registrations: how many fired, axes and lints. */
import type { Report, TreeNode } from '../../../engine/protocol'
import { passNamed } from '../../../engine/queries/report_index'
import { axisFacts, effectSentence, initialPatterns } from './siblings'
import { count } from '../../../base/english'
import { Term } from '../lessons/Term'
import { variantsSentence } from '../../../engine/queries/report_text'
import styles from './ClassSummary.module.css'
import { css } from '../../ui/css'

const TAGS = { pattern: 'not in the replacement', replacement: 'not in the pattern', nothing: 'no effect' } as const

export function ClassSummary({ report, node }: { report: Report; node: TreeNode }) {
  const pass = node.kind === 'class' ? passNamed(report, node.pass) : null
  const axes = pass ? axisFacts(pass, node.label) : []
  return (
    <div className={styles.summary} data-testid="class-summary">
      <p>
        <strong>
          {pass && report.passes.length > 1 && `${pass.name}: `}
          {node.label}.
        </strong>{' '}
        {variantsSentence(node)}.{' '}
        {pass && (
          <Term id="stageOne" quiet>
            {`Stage one distinguishes ${count(initialPatterns(pass, node.label), 'initial pattern')}.`}
          </Term>
        )}
      </p>
      {axes.length > 0 && (
        <ul className={styles.axes} aria-label={`Axes of ${node.label}`}>
          {axes.map((axis) => {
            const odd = effectSentence(axis)
            const tag = TAGS[axis.effect as keyof typeof TAGS]
            return (
              <li key={axis.name} title={`${axis.name}: ${axis.values.join(', ')}${odd ? `\n${odd}` : ''}`}>
                <span className={css.mono}>{axis.name}</span> {axis.values.length}
                {tag && (
                  <span className={styles.axisTag} data-testid="axis-tag" data-effect={axis.effect}>
                    {tag}
                    <span className={css.hidden}>: {odd}</span>
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
