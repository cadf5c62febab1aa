/** The environment in a line below the panels: it decides what is registered, whichever panel is open. */
import { commandHint } from '../../commands/CommandButton'
import { runById } from '../../commands/registry'
import { useRun } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'
import { DEFAULT_ENVIRONMENT } from '../../../workspace/types'
import { LinkButton } from '../../ui/Button'
import { css } from '../../ui/css'
import { environmentText } from './environment'
import styles from './EnvironmentSection.module.css'

export function EnvironmentButton() {
  const environment = useWorkspace((s) => s.workspace.environment) ?? DEFAULT_ENVIRONMENT
  const shown = useRun((s) => s.result.value !== null && s.result.sent === null)
  if (!shown) return null
  return (
    <LinkButton className={styles.button} title={commandHint('environment')} onClick={() => runById('environment')}>
      <span className={css.hidden}>Environment: </span>
      <span className={css.ellipsis}>{environmentText(environment)}</span>
    </LinkButton>
  )
}
