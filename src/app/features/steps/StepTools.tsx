/** The header of the timeline: its node and pattern, and buttons for the commands of the group Steps. */
import { count } from '../../../base/english'
import { commandHint } from '../../commands/CommandButton'
import { commandById, runById } from '../../commands/registry'
import { isEnabled } from '../../commands/types'
import { openSteps } from '../../on_screen/steps/timeline_requests'
import { breakpointName, sameBreakpoint } from '../../on_screen/steps/timeline'
import { bindingsText } from '../../../engine/queries/report_text'
import { markOf, passNamed } from '../../../engine/queries/report_index'
import { useRun } from '../../session/run_store'
import { useSteps } from '../../on_screen/steps/store'
import { useView } from '../../session/view_store'
import { Icon, type IconName } from '../../ui/icons'
import { NodeLink } from '../../ui/NodeLink'
import { Button, LinkButton } from '../../ui/Button'
import { css, cx } from '../../ui/css'
import { OlderText } from '../../report/views/OlderText'
import { Select } from '../../ui/Field'
import styles from './StepTools.module.css'
import stepCardStyles from './StepCard.module.css'

export function StepTools() {
  const { of, timeline, level, breakpoints, loading, playing } = useSteps()
  const indexed = timeline.value
  if (!of) return null
  return (
    <header className={styles.tools}>
      <p className={cx(styles.of, css.row, css.narrow)}>
        <NodeLink name={of.node} />
        <EntryPicker /> <OlderText of={timeline} />
      </p>
      <Instead />
      <div className={styles.bar} role="toolbar" aria-label="Timeline navigation" aria-busy={loading}>
        <span className={styles.buttons}>
          <Tool id="step-first" icon="first" />
          <Tool id="step-back" icon="back" />
          <Tool id="step-forward" icon="forward" />
          <Tool id="step-over" icon="over" />
          <Tool id="step-out" icon="out" />
          <Tool id="step-last" icon="last" />
          <Tool id="step-play" icon={playing ? 'stop' : 'play'} text={playing ? 'Stop' : 'Play'} />
        </span>
        <span className={styles.buttons}>
          <Tool id="step-previous-mismatch" icon="mismatchBack" />
          <Tool id="step-next-mismatch" icon="mismatch" text="Failure" />
        </span>
        {breakpoints.length > 0 && (
          <span className={styles.buttons}>
            <Tool id="step-next-breakpoint" icon="run" />
          </span>
        )}
        <span className={styles.buttons}>
          <Tool id="step-link" icon="share" />
        </span>
        <StopAtFailure />
        <span className={styles.levels} role="group" aria-label="Level">
          {(['coarse', 'fine'] as const).map((l) => (
            <Button
              key={l}
              aria-pressed={level === l}
              disabled={!indexed}
              title={commandHint('step-level')}
              onClick={() => useSteps.getState().setLevel(l)}
            >
              {l === 'coarse' ? 'Coarse' : 'Fine'}
            </Button>
          ))}
        </span>
      </div>
      {breakpoints.length > 0 && <BreakpointChips />}
    </header>
  )
}

/** Stops playing where a comparison fails, like a breakpoint on the first failure. */
function StopAtFailure() {
  const on = useSteps((s) => s.stopsAtFailure)
  return (
    <button
      className={stepCardStyles.chip}
      data-on={on || undefined}
      aria-pressed={on}
      title="Playing stops where a comparison fails"
      onClick={() => runById('step-stop-at-failure')}
    >
      <span className={stepCardStyles.dot} aria-hidden="true" />
      Stop where it fails
    </button>
  )
}

function BreakpointChips() {
  const { breakpoints, toggle } = useSteps()
  return (
    <p className={stepCardStyles.breaks} aria-label="Breakpoints">
      {breakpoints.map((b) => (
        <button
          key={`${b.kind}:${breakpointName(b)}:${b.kind === 'pattern' ? `${b.entry}.${b.index}` : ''}`}
          className={stepCardStyles.chip}
          data-on
          title={`Clear the breakpoint on ${breakpointName(b)}`}
          onClick={() => toggle(breakpoints.find((o) => sameBreakpoint(o, b))!)}
        >
          <span className={stepCardStyles.dot} aria-hidden="true" />
          <span className={css.mono}>{breakpointName(b)}</span> <span aria-hidden="true">×</span>
        </button>
      ))}
    </p>
  )
}

function Tool({ id, icon, text }: { id: string; icon: IconName; text?: string }) {
  // Re-renders with the timeline, whose state enables the commands.
  useSteps((s) => s.at)
  useSteps((s) => s.timeline.value)
  useSteps((s) => s.level)
  const command = commandById(id)
  return (
    <Button
      variant="quiet"
      data-testid={id}
      aria-label={command.title}
      title={commandHint(id)}
      disabled={!isEnabled(command)}
      onClick={() => runById(id)}
    >
      <Icon name={icon} size={14} />
      {text && <span className={styles.toolText}>{text}</span>}
    </Button>
  )
}

/** Offers the steps of a node that was selected after the timeline opened. */
function Instead() {
  const of = useSteps((s) => s.of)!
  const selection = useView((s) => s.selection)
  if (selection?.kind !== 'node' || selection.side !== 'before' || selection.name === of.node) return null
  const { name } = selection
  return (
    <p>
      <LinkButton className={css.small} onClick={() => void openSteps({ pass: of.pass, entry: null, node: name })}>
        Step through <span className={css.mono}>{name}</span> instead
      </LinkButton>
    </p>
  )
}

/** Selects one of the patterns tried at the node, or all. */
function EntryPicker() {
  const of = useSteps((s) => s.of)!
  const report = useRun((s) => s.result.value)
  const pass = passNamed(report, of.pass)
  if (!report || !pass) return <span className={cx(css.muted, css.mono)}>{of.pass}</span>
  const tried = new Set(pass.attempts.filter((a) => a.node === of.node).map((a) => a.entry))
  if (of.entry !== null) tried.add(of.entry)
  const entries = pass.entries.filter((e) => tried.has(e.index))
  return (
    <Select
      aria-label="Pattern to step through"
      value={of.entry ?? 'all'}
      onValue={(value) => void openSteps({ ...of, entry: value === 'all' ? null : Number(value) })}
    >
      <option value="all">{pass.attemptsLeftOut ? 'All patterns' : count(entries.length, 'pattern')} tried here</option>
      {entries.map((e) => {
        const bindings = bindingsText(e, pass.entries)
        return (
          <option key={e.index} value={e.index}>
            {markOf(report, pass.name, e.index).letter} {e.title}
            {bindings && `: ${bindings}`}
          </option>
        )
      })}
    </Select>
  )
}
