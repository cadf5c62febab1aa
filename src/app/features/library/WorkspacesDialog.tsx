/** The list of the workspaces that this browser keeps. */
import { useState } from 'react'
import { count } from '../../../base/english'
import type { WorkspaceInfo } from '../../../workspace/library'
import { isExampleId } from '../../session/kept_ids'
import { restoreWorkspace, useLibrary } from '../../session/library_list'
import { closeOverlay, useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { LinkButton } from '../../ui/Button'
import { Dialog, DialogHead } from '../../ui/Dialog'
import { RenameInput } from '../../ui/Field'
import { EmptyState } from '../../ui/Messages'
import { SectionTitle } from '../../ui/Section'
import css from '../../ui/text.module.css'
import { duplicateWorkspace, openById, removeWorkspace, renameWorkspace } from './actions'
import { timeText } from '../../ui/time_text'
import styles from './WorkspacesDialog.module.css'

/** Closes the dialog, then acts. */
const then = (act: () => unknown) => () => {
  closeOverlay()
  void act()
}

export function WorkspacesDialog() {
  const list = useLibrary((s) => s.list)
  const kept = list.filter((w) => w.deletedAt === undefined)
  const deleted = list.filter((w) => w.deletedAt !== undefined)
  return (
    <Dialog label="Workspaces" className={styles.dialog} onClose={closeOverlay}>
      <DialogHead title="Workspaces" />
      <p className={css.muted}>
        Everything that you edited is kept in this browser, including your changes to examples.
      </p>
      {kept.length === 0 && <EmptyState>You have not edited anything yet.</EmptyState>}
      <ul className={styles.list} data-testid="workspaces">
        {kept.map((w) => (
          <Kept key={w.id} info={w} />
        ))}
      </ul>
      {deleted.length > 0 && (
        <section>
          <SectionTitle>{count(deleted.length, 'deleted workspace')}</SectionTitle>
          <ul className={styles.list}>
            {deleted.map((w) => (
              <li key={w.id} className={styles.row}>
                <span className={styles.name}>{w.name}</span>
                <span className={css.muted}>deleted {timeText(w.deletedAt!)}</span>
                <LinkButton aria-label={`Restore ${w.name}`} onClick={() => void restoreWorkspace(w.id)}>
                  Restore
                </LinkButton>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  )
}

const kindOf = (id: string): string =>
  isExampleId(id) ? 'edited example' : id.startsWith('link:') ? 'from a link' : 'your own'

function Kept({ info }: { info: WorkspaceInfo }) {
  const { id, name, at } = info
  const open = useWorkspace((s) => s.origin === id)
  const [renaming, setRenaming] = useState(false)
  return (
    <li className={styles.row} data-testid="workspace-row" data-open={open || undefined}>
      {renaming ? (
        <RenameInput name={name} rename={(to) => renameWorkspace(id, to)} done={() => setRenaming(false)} />
      ) : (
        <LinkButton className={styles.name} onClick={then(() => openById(id))} {...(open && { 'aria-current': true })}>
          {name}
        </LinkButton>
      )}
      <span className={css.muted}>
        {open ? 'open' : kindOf(id)}, {timeText(at)}
      </span>
      <span className={css.cluster}>
        {!isExampleId(id) && (
          <LinkButton aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>
            Rename
          </LinkButton>
        )}
        <LinkButton aria-label={`Duplicate ${name}`} onClick={then(() => duplicateWorkspace(id))}>
          Duplicate
        </LinkButton>
        <LinkButton
          aria-label={`Versions of ${name}`}
          onClick={() => void openById(id).then(() => useView.getState().setOverlay('versions'))}
        >
          Versions
        </LinkButton>
        <LinkButton aria-label={`Delete ${name}`} onClick={() => void removeWorkspace(info)}>
          Delete
        </LinkButton>
      </span>
    </li>
  )
}
