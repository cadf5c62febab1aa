/** The list of the workspaces that this browser keeps. */
import type { WorkspaceInfo } from '../../../workspace/library'
import { isExampleId } from '../../session/kept_ids'
import { restoreWorkspace, useLibrary } from '../../session/library_list'
import { closeOverlay, useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { Dialog } from '../../ui/Dialog'
import { EmptyState } from '../../ui/Messages'
import { css } from '../../ui/css'
import { duplicateWorkspace, openById, removeWorkspace, renameWorkspace } from './actions'
import { KeptList, KeptRow, timeText } from '../../ui/KeptList'

/** Closes the dialog, then acts. */
const then = (act: () => unknown) => () => {
  closeOverlay()
  void act()
}

export function WorkspacesDialog() {
  const list = useLibrary((s) => s.list)
  return (
    <Dialog title="Workspaces" width={800}>
      <p className={css.muted}>
        Everything that you edited is kept in this browser, including your changes to examples.
      </p>
      {list.every((w) => w.deletedAt !== undefined) && <EmptyState>You have not edited anything yet.</EmptyState>}
      <KeptList
        list={list}
        what="workspace"
        data-testid="workspaces"
        row={(info) => <Kept key={info.id} info={info} />}
        restore={restoreWorkspace}
      />
    </Dialog>
  )
}

const kindOf = (id: string): string =>
  isExampleId(id) ? 'edited example' : id.startsWith('link:') ? 'from a link' : 'your own'

function Kept({ info }: { info: WorkspaceInfo }) {
  const { id, name, at } = info
  const isOpen = useWorkspace((s) => s.origin === id)
  return (
    <KeptRow
      data-testid="workspace-row"
      name={name}
      note={`${isOpen ? 'open' : kindOf(id)}, ${timeText(at)}`}
      open={then(() => openById(id))}
      isOpen={isOpen}
      rename={(to) => renameWorkspace(id, to)}
      actions={(rename) => [
        ...(isExampleId(id) ? [] : [['Rename', rename] as const]),
        ['Duplicate', then(() => duplicateWorkspace(id))],
        ['Versions', () => void openById(id).then(() => useView.getState().setOverlay('versions'))],
        ['Delete', () => void removeWorkspace(info)],
      ]}
    />
  )
}
