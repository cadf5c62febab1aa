import { runById } from '../commands/registry'
import { canRedo, canUndo } from '../session/history'
import { useWorkspace } from '../session/workspace_store'
import { useTheme } from '../theme/theme_store'
import { Icon, type IconName } from '../ui/icons'
import { Button } from '../ui/Button'
import styles from './Header.module.css'
import { css } from '../ui/css'
import { CommandButton, commandHint } from '../commands/CommandButton'
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
      <LabeledButton command="paste-graph" icon="copy" label="Paste graph" testId="paste-button" />
      <span className={styles.roomy}>
        <LabeledButton command="new-from" icon="plus" label="New" testId="new-button" />
        <LabeledButton command="gallery" icon="gallery" label="Examples" testId="gallery-button" />
      </span>
      <LabeledButton command="lessons" icon="learn" label="Learn" testId="lessons-button" />
      <span className={css.spring} />
      <span className={styles.tools}>
        <History />
        <CommandButton command="search" icon="search" />
        <CommandButton command="palette" icon="command" />
        <span className={styles.roomy}>
          <CommandButton command="theme" icon={theme === 'dark' ? 'sun' : 'moon'} />
          <CommandButton command="help" icon="help" />
        </span>
        <Button
          variant="primary"
          data-testid="share-button"
          title={commandHint('share')}
          onClick={() => runById('share')}
        >
          <Icon name="share" />
          <span className={styles.shareLabel}>Share</span>
        </Button>
      </span>
    </header>
  )
}

function History() {
  // Each edit creates a version, and so does each undo.
  useWorkspace((s) => s.version)
  return (
    <>
      <CommandButton command="undo" icon="undo" aria-disabled={!canUndo()} />
      <span className={styles.roomy}>
        <CommandButton command="redo" icon="redo" aria-disabled={!canRedo()} />
      </span>
    </>
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
    <Button aria-label={label} data-testid={testId} title={commandHint(command)} onClick={() => runById(command)}>
      <Icon name={icon} />
      <span className={styles.wideOnly}>{label}</span>
    </Button>
  )
}
