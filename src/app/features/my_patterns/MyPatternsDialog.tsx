/** The user's pattern folders, and the table of their passes by graphs. */
import { useEffect, useState } from 'react'
import type { WorkspaceInfo } from '../../../workspace/library'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { Button } from '../../ui/Button'
import { Dialog, DialogHead } from '../../ui/Dialog'
import { EmptyState, Notice } from '../../ui/Messages'
import { css, cx } from '../../ui/css'
import { takeDropped, takePicked } from './drop'
import { FolderList } from './FolderList'
import { FolderVersions } from './FolderVersions'
import { ResultTable } from './ResultTable'
import { pick } from '../../files/download'
import { keptFolders, refreshFolders, useFolders } from './storage'
import { TableTools } from './TableTools'
import styles from './MyPatternsDialog.module.css'
import { count } from '../../../base/english'
import { Input } from '../../ui/Field'
import { addFolder } from './actions'
import { draftNow } from '../../session/autosave'

export function MyPatternsDialog() {
  const folders = useFolders()
  const [versionsOf, setVersionsOf] = useState<WorkspaceInfo | null>(null)
  const [adding, setAdding] = useState(useView.getState().overlay === 'add-patterns')
  useEffect(() => void refreshFolders(), [])
  const kept = keptFolders(folders)
  return (
    <Dialog label="My patterns" width={1280} className={styles.dialog}>
      <DialogHead title={versionsOf ? `Versions of ${versionsOf.name}` : 'My patterns'}>
        {versionsOf && <Button onClick={() => setVersionsOf(null)}>Back</Button>}
      </DialogHead>
      {folders.problem && <Notice tone="bad">{folders.problem} What you add is not kept.</Notice>}
      {versionsOf ? (
        <FolderVersions info={versionsOf} done={() => setVersionsOf(null)} />
      ) : (
        <>
          <FolderTools add={() => setAdding(true)} />
          {adding && <AddFolder done={() => setAdding(false)} />}
          {folders.list !== null && kept.length === 0 && !adding && (
            <EmptyState>
              Folders of pass files that you keep, with versions. A table counts the matches of each pass on many
              graphs, and marks what a new version changes. No folder yet: add the open files, pick a folder of Python
              files, or drop one on this window.
            </EmptyState>
          )}
          <FolderList showVersions={setVersionsOf} />
          {kept.length > 0 && <TableTools />}
          <ResultTable />
        </>
      )}
    </Dialog>
  )
}

function FolderTools({ add }: { add(): void }) {
  const open = useWorkspace((s) => s.workspace.files.some((f) => f.text.trim() !== ''))
  return (
    <div className={cx(css.row, css.wraps)}>
      <Button onClick={add} disabled={!open} title={open ? undefined : 'The open workspace has no code'}>
        Add the open files
      </Button>
      <Button onClick={() => pick(takePicked, true)}>Add a folder…</Button>
      <Button onClick={() => pick((files) => takeDropped(files))}>Import files…</Button>
      <span className={css.muted}>Kept in this browser; nothing is sent anywhere.</span>
    </div>
  )
}

/** The form that adds the open files as a folder, or as the next version of the folder with that name. */
function AddFolder({ done }: { done(): void }) {
  const workspace = useWorkspace((s) => s.workspace)
  const folders = useFolders()
  const [name, setName] = useState(workspace.name)
  const existing = keptFolders(folders).find((f) => f.name === name.trim())
  const end = (): void => {
    if (useView.getState().overlay === 'add-patterns') useView.getState().setOverlay('my-patterns')
    done()
  }
  return (
    <form
      className={cx(styles.add, css.row, css.wraps)}
      onSubmit={(e) => {
        e.preventDefault()
        // The form stays with its name if the browser refuses to store.
        if (name.trim() !== '') void addFolder(draftNow(), name.trim(), existing).then((kept) => kept && end())
      }}
    >
      <Input aria-label="Name of the folder" value={name} maxLength={200} autoFocus onValue={setName} />
      <Button type="submit" variant="primary" disabled={name.trim() === ''}>
        {existing ? 'Add as a new version' : 'Add to my patterns'}
      </Button>
      <Button type="button" onClick={end}>
        Cancel
      </Button>
      <span className={css.muted}>
        {count(workspace.files.length, 'file')}
        {existing ? `; ${existing.name} as it is now stays as a version` : ''}
      </span>
    </form>
  )
}
