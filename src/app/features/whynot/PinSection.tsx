/** The pinned pair: the causes for this pattern at this node. */
import type { PinAnswer, Report } from '../../../engine/protocol'
import { markOf, nodeNamed } from '../../../engine/queries/report_index'
import { entryOfPin, fixesOf } from '../../report/why_not_pin'
import { usePin } from '../../on_screen/pin_store'
import { useRun } from '../../session/run_store'
import { Icon } from '../../ui/icons'
import { PatternBadge } from '../../ui/PatternBadge'
import { NodeLink } from '../../ui/NodeLink'
import { CauseSentence, Sides } from './CauseView'
import { FixCards } from './FixCard'
import { StepThrough } from './StepThrough'
import { Further } from './FurtherCauses'
import { Aligned } from './NearMissCard'
import { OlderText } from '../../report/views/OlderText'
import { CloseButton } from '../../ui/Button'
import styles from './PinSection.module.css'
import { css, cx } from '../../ui/css'

export function PinSection() {
  const { pin, answer: section, asking, problem } = usePin()
  const answer = section.value
  const report = useRun((s) => s.result.value)
  const sent = useRun((s) => s.result.sent !== null)
  if (!pin || !report) return null
  const found = entryOfPin(report, pin)
  const { unpin } = actions
  return (
    <section
      className={styles.pin}
      data-testid="pin"
      aria-label={`Pinned: ${pin.title} at ${pin.node}`}
      aria-busy={asking}
    >
      <header className={styles.head}>
        <Icon name="pin" />
        {found && <PatternBadge mark={markOf(report, found.pass.name, found.entry.index)} hollow={!answer?.fires} />}
        <h3 className={cx(css.spring, css.breaks)}>
          {pin.title} at <NodeLink name={pin.node} />
        </h3>
        <OlderText of={section} />
        <CloseButton label="Unpin" hint="Unpin" data-testid="unpin" onClick={unpin} />
      </header>
      <div className={styles.body} role="status">
        {sent && answer && <p className={css.muted}>The sender’s result; it has not been checked here.</p>}
        {answer?.miss && found && <Aligned of={{ pass: found.pass, entry: found.entry, miss: answer.miss }} />}
        {problem ? (
          <p>{problem}</p>
        ) : answer ? (
          <Answer report={report} answer={answer} />
        ) : (
          <p className={css.muted}>
            {sent ? 'The causes appear after the code of this link has run here.' : 'Searching for the causes…'}
          </p>
        )}
      </div>
    </section>
  )
}

const actions = { unpin: () => usePin.getState().pinTo(null) }

function Answer({
  report,
  answer: { pass: name, entry: index, node, fires, miss },
}: {
  report: Report
  answer: PinAnswer
}) {
  const pass = report.passes.find((p) => p.name === name)
  const entry = pass?.entries[index] ?? null
  if (fires) return <p className={styles.good}>It fires here.</p>
  if (!miss || !pass)
    return <p>{nodeNamed(report.graph, node) ? 'It does not fire here.' : 'The node no longer exists.'}</p>
  const [cause, ...further] = miss.causes
  return (
    <>
      <CauseSentence report={report} cause={cause!} strong />
      <Sides report={report} entry={entry} cause={cause!} />
      <FixCards report={report} fixes={fixesOf(pass, miss, cause!)} />
      <Further report={report} of={{ pass, entry, miss }} causes={further} />
      <StepThrough pass={name} entry={index} node={node} />
    </>
  )
}
