/** The list of pattern folders: open, versions, rename, duplicate, export, delete; deleted ones can be restored. */
import { trying } from '../../session/saver'
import type { WorkspaceInfo } from '../../../workspace/library'
import { KeptList, KeptRow, timeText } from '../../ui/KeptList'
import { deleteFolder, duplicateFolder, openFolder, renameFolder, restoreFolder } from './actions'
import { useFolders, patternLibrary } from './storage'
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
  const list = useFolders((s) => s.list) ?? []
  return (
    <KeptList
      list={list}
      what="folder"
      folded
      className={styles.list}
      data-testid="my-patterns"
      row={(info) => <Folder key={info.id} info={info} showVersions={() => showVersions(info)} />}
      restore={restoreFolder}
    />
  )
}

function Folder({ info, showVersions }: { info: WorkspaceInfo; showVersions(): void }) {
  const { id, name, at } = info
  const isLeft = useTable((s) => s.left.has(id))
  const { toggleFolder } = useTable.getState()
  return (
    <KeptRow
      data-testid="pattern-folder"
      name={name}
      note={timeText(at)}
      rename={(to) => renameFolder(id, to)}
      actions={(rename) => [
        ['Open', () => void openFolder(id)],
        ['Versions', showVersions],
        ['Rename', rename],
        ['Duplicate', () => void duplicateFolder(info)],
        ['Export', () => void exportFolder(info)],
        ['Delete', () => void deleteFolder(info)],
      ]}
    >
      <input
        type="checkbox"
        checked={!isLeft}
        aria-label={`${name} in the table`}
        title="In the table"
        onChange={() => toggleFolder(id)}
      />
    </KeptRow>
  )
}
