/** Pattern folders as files, which the page and the command line open. */
import type { WorkspaceInfo } from '../../../workspace/library'
import { snapshotFileName, writeSnapshotFile, type Snapshot } from '../../../workspace'
import { toast } from '../../session/view_store'
import { download } from '../../files/download'
import { trying } from './actions'
import { patternLibrary } from './storage'

export const exportFolder = ({ id }: WorkspaceInfo): Promise<boolean> =>
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
