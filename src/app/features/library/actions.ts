/** Actions on the stored workspaces and their versions. Each action can be undone. */
import type { Draft, WorkspaceInfo } from '../../../workspace/library'
import { draftNow, saveOpen } from '../../session/autosave'
import { isExampleId } from '../../session/kept_ids'
import { deleteWorkspace, refreshList, restoreWorkspace } from '../../session/library_list'
import { openWorkspace, reopenLater } from '../../session/open_workspace'
import { keepVersion, keptDraft, library, nextStamp, saveNow, saveSoon, setStamp, trying } from '../../session/saver'
import { toastUndo } from '../../session/view_store'
import { newOrigin, useWorkspace } from '../../session/workspace_store'
import { openDraft, openExample, useExamples } from '../../examples/examples'

export async function openById(id: string): Promise<void> {
  if (isExampleId(id)) await openExample(id)
  else if (id !== useWorkspace.getState().origin) await openDraft(id)
}

export const renameWorkspace = (id: string, given: string): Promise<boolean> =>
  trying(async () => {
    const name = given.trim()
    if (name === '') return
    if (id === useWorkspace.getState().origin) {
      useWorkspace.setState((s) => ({ workspace: { ...s.workspace, name } }))
      saveOpen()
      return saveNow()
    }
    const stamp = nextStamp()
    await library.rename(id, name, stamp)
    setStamp(id, stamp)
    await refreshList()
  })

/** Opens a copy with a new name. */
export const duplicateWorkspace = (id: string): Promise<boolean> =>
  trying(async () => {
    const open = useWorkspace.getState().origin === id
    const kept = open ? null : await keptDraft(id)
    const draft = open ? draftNow() : kept?.ok ? kept.value : null
    if (!draft) return
    const copy = newOrigin()
    saveSoon(copy, { ...draft, workspace: { ...draft.workspace, name: `${draft.workspace.name} (copy)` } })
    await saveNow()
    await openDraft(copy)
    toastUndo(`${draft.workspace.name} (copy) is open.`)
  })

export const removeWorkspace = ({ id, name }: WorkspaceInfo): Promise<boolean> =>
  trying(async () => {
    await saveNow()
    const reopen = id === useWorkspace.getState().origin ? reopenLater() : null
    await deleteWorkspace(id)
    if (reopen && isExampleId(id)) await openExample(id, { fresh: true })
    else if (reopen) await openExample(useExamples.getState().list[0]!.id)
    toastUndo(`${name} is deleted. It can be restored for 30 days.`, () => {
      void restoreWorkspace(id).then(() => reopen?.())
    })
  })

/** Shows a version instead of the open workspace, which becomes a version itself. */
export async function returnTo(version: Draft, when: string): Promise<void> {
  const { origin } = useWorkspace.getState()
  const reopen = reopenLater()
  await keepVersion(origin, draftNow(), { kind: 'before', what: 'an earlier version was opened' })
  openWorkspace({ ...version, origin })
  saveOpen()
  toastUndo(`The version of ${when} is open.`, () => {
    reopen()
    saveOpen()
  })
}

/** Keeps the open workspace as a version with a name. */
export const nameVersion = (name: string): Promise<boolean> =>
  trying(async () => {
    const { origin } = useWorkspace.getState()
    saveOpen()
    await saveNow()
    await library.keepVersion(origin, draftNow(), { kind: 'named', name: name.trim() })
  })
