/** The number of the shown difference, with buttons for the next and the previous one. */
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { CommandButton } from '../../commands/CommandButton'
import { css, cx } from '../../ui/css'
import { useCompare } from '../compare/store'
import { usePipeline } from '../stage/store'
import { onScreen, stepsOf } from './stepping'
import styles from './DifferenceSteps.module.css'

export function DifferenceSteps() {
  // Values that `onScreen` reads.
  useRun((s) => s.result.value)
  useView((s) => s.selection)
  useView((s) => s.stage)
  usePipeline((s) => s.picked)
  usePipeline((s) => s.shown.value)
  useCompare((s) => s.picked)
  useCompare((s) => s.compared.value)
  const steps = stepsOf(onScreen())
  if (!steps) return null
  return (
    <span className={styles.steps} role="group" aria-label="Differences" data-testid="difference-steps">
      <span className={cx(css.muted, css.num)} role="status">
        {steps.at < 0 ? `${steps.of}` : `${steps.at + 1} of ${steps.of}`}
        <span className={styles.unit}>{steps.of === 1 ? ' difference' : ' differences'}</span>
      </span>
      <CommandButton command="difference-previous" icon="back" />
      <CommandButton command="difference-next" icon="forward" />
    </span>
  )
}
