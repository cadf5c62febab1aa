/** The form that adds the open files as a folder, or as the next version of the folder of that name. */
import { useState } from 'react'
import { count } from '../../../base/english'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { Button } from '../../ui/Button'
import { Input } from '../../ui/Field'
import css from '../../ui/text.module.css'
import { addFolder, openDraft } from './actions'
import { keptFolders, useFolders } from './storage'
import styles from './MyPatternsDialog.module.css'

export function AddFolder({ done }: { done(): void }) {
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
      className={styles.add}
      onSubmit={(e) => {
        e.preventDefault()
        // The form stays with its name if the browser refuses to store.
        if (name.trim() !== '') void addFolder(openDraft(), name.trim(), existing).then((kept) => kept && end())
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
