/** Banners about storage: the browser does not store the work, or another tab has changed it. */
import { runById } from '../commands/registry'
import { useTabNotice } from '../session/autosave'
import { draftOf } from '../session/kept_draft'
import { openWorkspace } from '../session/open_workspace'
import { useSaving } from '../session/saver'
import { useWorkspace } from '../session/workspace_store'
import { Button } from '../ui/Button'
import { Icon } from '../ui/icons'
import styles from './Banners.module.css'

/** Shown while the newest edits exist only in this page. */
export function UnsavedBanner() {
  const problem = useSaving((s) => s.problem)
  if (problem === null) return null
  return (
    <div className={styles.banner} data-tone="bad" role="alert" data-testid="unsaved">
      <Icon name="warn" />
      <span>Not saved. {problem} Your edits are lost when this page closes.</span>
      <Button onClick={() => runById('save')}>Save as a file</Button>
    </div>
  )
}

/** What another tab did to the open workspace. */
export function TabBanner() {
  const notice = useTabNotice((s) => s.notice)
  if (!notice) return null
  const close = (): void => useTabNotice.setState({ notice: null })
  return (
    <div className={styles.banner} role="status" data-testid="tab-banner">
      <Icon name="warn" />
      <span>
        {notice.kind === 'changed'
          ? 'Another tab changed this workspace. Edits here are kept as a copy.'
          : `Another tab changed ${notice.name} too. The edits of this tab are kept as ${notice.copy}.`}
      </span>
      {notice.kind === 'changed' && (
        <Button variant="primary" onClick={() => void reopen(notice.id)}>
          Show its text
        </Button>
      )}
      <Button onClick={close}>Dismiss</Button>
    </div>
  )
}

/** Opens the stored text of the open workspace. */
async function reopen(id: string): Promise<void> {
  const draft = await draftOf(id)
  if (draft) openWorkspace({ ...draft, origin: id, openFile: useWorkspace.getState().openFile })
}
