/** Banners about storage: the browser does not store the work, or another tab has changed it. */
import { runById } from '../commands/registry'
import { useTabNotice } from '../session/autosave'
import { draftOf } from '../session/kept_draft'
import { openWorkspace } from '../session/open_workspace'
import { useSaving } from '../session/saver'
import { useWorkspace } from '../session/workspace_store'
import { Button } from '../ui/Button'
import { Banner } from './Banners'

/** Shown while the newest edits exist only in this page. */
export function UnsavedBanner() {
  const problem = useSaving((s) => s.problem)
  if (problem === null) return null
  return (
    <Banner
      tone="bad"
      role="alert"
      data-testid="unsaved"
      text={`Not saved. ${problem} Your edits are lost when this page closes.`}
    >
      <Button onClick={() => runById('save')}>Save as a file</Button>
    </Banner>
  )
}

/** What another tab did to the open workspace. */
export function TabBanner() {
  const notice = useTabNotice((s) => s.notice)
  if (!notice) return null
  const close = (): void => useTabNotice.setState({ notice: null })
  const text =
    notice.kind === 'changed'
      ? 'Another tab changed this workspace. Edits here are kept as a copy.'
      : `Another tab changed ${notice.name} too. The edits of this tab are kept as ${notice.copy}.`
  return (
    <Banner role="status" data-testid="tab-banner" text={text}>
      {notice.kind === 'changed' && (
        <Button variant="primary" onClick={() => void reopen(notice.id)}>
          Show its text
        </Button>
      )}
      <Button onClick={close}>Dismiss</Button>
    </Banner>
  )
}

/** Opens the stored text of the open workspace. */
async function reopen(id: string): Promise<void> {
  const draft = await draftOf(id)
  if (draft) openWorkspace({ ...draft, origin: id, openFile: useWorkspace.getState().openFile })
}
