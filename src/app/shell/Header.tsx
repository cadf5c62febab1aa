import { useMemo } from 'react'
import type { CanvasMode } from '../../workspace/types'
import { runCommand } from '../commands/types'
import { commandById } from '../features'
import { stopRun } from '../session/runner'
import { count } from '../../base/english'
import { stubDecisions } from '../../engine/report/stub_decisions'
import { statusText } from '../session/report_text'
import { useStaged } from '../features/pipeline/store'
import { isStale, useRun } from '../session/run_store'
import { useTheme } from '../theme/theme_store'
import { useView } from '../session/view_store'
import { useWorkspace } from '../session/workspace_store'
import { Icon, type IconName } from '../ui/icons'
import { useLasting } from '../ui/useLasting'
import { Button } from '../ui/Button'
import { cx } from '../ui/cx'
import styles from './Header.module.css'
import css from '../ui/text.module.css'
import { Badge } from '../ui/Badge'
import { Segmented } from '../ui/Segmented'
import { CommandButton, commandHint } from './CommandButton'
import { WorkspacePicker } from './WorkspacePicker'

export function Header() {
  const theme = useTheme((s) => s.theme)
  return (
    <header className={styles.header}>
      <h1 className={styles.brand}>
        <Icon name="graph" size={18} />
        <span className={styles.brandName}>Fusescope</span>
      </h1>
      <WorkspacePicker />
      <LabeledButton command="new-from" icon="plus" label="New" testId="new-button" />
      <LabeledButton command="gallery" icon="gallery" label="Examples" testId="gallery-button" />
      <LabeledButton command="lessons" icon="learn" label="Learn" testId="lessons-button" />
      <Status />
      <span className={css.spring} />
      <ModeSwitch />
      <span className={styles.tools}>
        <CommandButton command="search" icon="search" />
        <CommandButton command="palette" icon="command" />
        <CommandButton command="theme" icon={theme === 'dark' ? 'sun' : 'moon'} />
        <CommandButton command="help" icon="help" />
        <Button
          variant="primary"
          data-testid="share-button"
          title={commandHint('share')}
          onClick={() => runCommand(commandById('share'))}
        >
          <Icon name="share" />
          <span className={styles.shareLabel}>Share</span>
        </Button>
      </span>
    </header>
  )
}

function Status() {
  const report = useRun((s) => s.report)
  const running = useRun((s) => s.running)
  const silent = useRun((s) => s.silent)
  const since = useRun((s) => s.since)
  const progress = useRun((s) => s.progress)
  const version = useWorkspace((s) => s.version)
  const stale = useRun((s) => isStale(s, version))
  const resting = useMemo(() => (report ? stubDecisions(report.stubs, report.passes).length : 0), [report])
  const shown = useLasting(running && !silent, since, 300)
  const nodes = useRun((s) => s.graph?.nodes.length ?? s.summary?.nodesBefore ?? s.report?.graph.nodes.length)
  return (
    <div className={styles.status} role="status" aria-live="polite">
      <span className={cx(styles.verdictLine, stale && styles.statusStale)} data-testid="status">
        <strong>{statusText(report)}</strong>
        {nodes !== undefined && <span className={cx(css.muted, styles.nodes)}> · {count(nodes, 'node')}</span>}
      </span>
      {stale && (
        <Badge tone="warn" data-testid="stale-badge" title="The last successful result; the text beside it is newer">
          stale
        </Badge>
      )}
      {resting > 0 && (
        <Badge
          tone="warn"
          data-testid="stub-badge"
          title={`${count(resting, 'answer')} of stubbed modules decided what was registered or checked: see Console`}
        >
          rests on stubs
        </Badge>
      )}
      {shown && (
        <>
          <span className={cx(css.muted, css.ellipsis, styles.progressText)}>{progress?.text ?? 'Running'}</span>
          <Button variant="danger" data-testid="stop-button" onClick={stopRun} title={commandHint('stop')}>
            <Icon name="stop" size={12} />
            Stop
          </Button>
        </>
      )}
      {shown && (
        <span
          className={styles.progressBar}
          data-unknown={progress?.fraction == null || undefined}
          role="progressbar"
          aria-label={progress?.text ?? 'Running'}
          aria-valuemin={0}
          aria-valuemax={100}
          {...(progress?.fraction != null ? { 'aria-valuenow': Math.round(progress.fraction * 100) } : {})}
        >
          <span style={{ width: progress?.fraction != null ? `${progress.fraction * 100}%` : '100%' }} />
        </span>
      )}
    </div>
  )
}

const MODES: { mode: CanvasMode; label: string }[] = [
  { mode: 'before', label: 'Before' },
  { mode: 'after', label: 'After' },
  { mode: 'split', label: 'Side by side' },
]

function ModeSwitch() {
  const mode = useView((s) => s.mode)
  const staged = useStaged()
  const hasAfter = useRun((s) => s.report?.after != null)
  return (
    <Segmented
      label="Graph shown"
      value={staged ? null : mode}
      onChange={(next) => useView.getState().setMode(next)}
      segments={MODES.map((m) => ({
        value: m.mode,
        label: m.label,
        title: commandHint(`mode-${m.mode}`),
        disabled: m.mode !== 'before' && !hasAfter,
        testId: `mode-${m.mode}`,
      }))}
    />
  )
}

interface LabeledButtonProps {
  command: string
  icon: IconName
  label: string
  testId: string
}

/** Runs a command; a narrow header shows the icon alone. */
function LabeledButton({ command, icon, label, testId }: LabeledButtonProps) {
  return (
    <Button
      aria-label={label}
      data-testid={testId}
      title={commandHint(command)}
      onClick={() => runCommand(commandById(command))}
    >
      <Icon name={icon} />
      <span className={styles.wideOnly}>{label}</span>
    </Button>
  )
}
