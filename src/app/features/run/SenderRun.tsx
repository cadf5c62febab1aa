/** The result of the sender's GPU run, until the link's code has run here. */
import type { CarriedRun } from '../../../workspace/carried'
import { css, cx } from '../../ui/css'
import { runSentence } from './carried_run'
import { verdictTone } from './run_text'
import runStyles from './run.module.css'
import styles from './RunResult.module.css'

export function SenderRun({ run }: { run: CarriedRun }) {
  return (
    <div className={runStyles.panel}>
      <p className={css.muted}>The sender’s result for {run.title}; it has not been run here.</p>
      <div
        className={cx(styles.verdict, css.rounded, css.pad)}
        data-tone={run.kind && verdictTone(run.kind)}
        data-testid="sender-run"
      >
        {runSentence(run)}
      </div>
      <ul className={cx(css.stack, css.gap2, css.small, css.muted)}>
        {run.lines.map((line, i) => (
          <li key={i}>{line}</li>
        ))}
      </ul>
    </div>
  )
}
