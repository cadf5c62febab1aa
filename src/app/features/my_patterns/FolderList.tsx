/** The list of pattern folders: open, versions, rename, duplicate, export, delete; deleted ones can be restored. */
import { useState } from 'react'
import { count } from '../../../base/english'
import type { WorkspaceInfo } from '../../../workspace/library'
import { LinkButton } from '../../ui/Button'
import { RenameInput } from '../../ui/Field'
import { SectionTitle } from '../../ui/Section'
import css from '../../ui/text.module.css'
import { timeText } from '../../ui/time_text'
import { deleteFolder, duplicateFolder, openFolder, renameFolder, restoreFolder, trying } from './actions'
import { keptFolders, useFolders, patternLibrary } from './storage'
import { useTable } from './table_store'
import styles from './MyPatternsDialog.module.css'
import { snapshotFileName, writeSnapshotFile, type Snapshot } from '../../../workspace'
import { toast } from '../../session/view_store'
import { download } from '../../files/download'

/** Pattern folders as files, which the page and the command line open. */
const exportFolder = ({ id }: WorkspaceInfo): Promise<boolean> =>
  trying(async () => {
    const kept = await patternLibrary.load(id)
    if (!kept.ok) return toast(kept.error.message, { tone: 'bad' })
    if (!kept.value) return
    const { workspace } = kept.value
    const view: Snapshot['view'] = {
      selection: null,
      mode: 'before',
      panel: 'matches',
      openFile: workspace.files[0]?.name ?? '',
    }
    const snapshot: Snapshot = { v: 1, workspace, view, summary: null }
    download(snapshotFileName(snapshot), writeSnapshotFile(snapshot), 'application/json')
  })

export function FolderList({ showVersions }: { showVersions(info: WorkspaceInfo): void }) {
  const folders = useFolders()
  const kept = keptFolders(folders)
  const deleted = (folders.list ?? []).filter((f) => f.deletedAt !== undefined)
  return (
    <>
      {kept.length > 0 && (
        <ul className={styles.list} data-testid="my-patterns">
          {kept.map((f) => (
            <Folder key={f.id} info={f} showVersions={() => showVersions(f)} />
          ))}
        </ul>
      )}
      {deleted.length > 0 && (
        <details>
          <SectionTitle as="summary">{count(deleted.length, 'deleted folder')}</SectionTitle>
          <ul className={styles.list}>
            {deleted.map((f) => (
              <li key={f.id} className={styles.row}>
                <span className={styles.name}>{f.name}</span>
                <span className={css.muted}>deleted {timeText(f.deletedAt!)}</span>
                <LinkButton aria-label={`Restore ${f.name}`} onClick={() => void restoreFolder(f.id)}>
                  Restore
                </LinkButton>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function Folder({ info, showVersions }: { info: WorkspaceInfo; showVersions(): void }) {
  const { id, name, at } = info
  const [renaming, setRenaming] = useState(false)
  const isLeft = useTable((s) => s.left.has(id))
  const { toggleFolder } = useTable.getState()
  const actions = [
    ['Open', () => void openFolder(id)],
    ['Versions', showVersions],
    ['Rename', () => setRenaming(true)],
    ['Duplicate', () => void duplicateFolder(info)],
    ['Export', () => void exportFolder(info)],
    ['Delete', () => void deleteFolder(info)],
  ] as const
  return (
    <li className={styles.row} data-testid="pattern-folder">
      <input
        type="checkbox"
        checked={!isLeft}
        aria-label={`${name} in the table`}
        title="In the table"
        onChange={() => toggleFolder(id)}
      />
      {renaming ? (
        <RenameInput name={name} rename={(to) => renameFolder(id, to)} done={() => setRenaming(false)} />
      ) : (
        <span className={styles.name}>{name}</span>
      )}
      <span className={css.muted}>{timeText(at)}</span>
      <span className={css.cluster}>
        {actions.map(([label, run]) => (
          <LinkButton key={label} aria-label={`${label} ${name}`} onClick={run}>
            {label}
          </LinkButton>
        ))}
      </span>
    </li>
  )
}
