/** Actions on the user's pattern folders. Each can be undone. */
import { count } from '../../../base/english'
import type { Draft, WorkspaceInfo } from '../../../workspace/library'
import { shownGraph, withGraphs } from '../../../workspace/graphs'
import type { TextFile } from '../../../workspace/types'
import { openOwn } from '../../session/open_workspace'
import { nextStamp, trying } from '../../session/saver'
import { closeOverlay, toastUndo } from '../../session/view_store'
import { EMPTY_WORKSPACE, useWorkspace } from '../../session/workspace_store'
import { keepFolder, keepVersionOf, patternLibrary, refreshFolders } from './storage'

/** Adds a folder, or a version to the folder of this name. */
export const addFolder = (draft: Draft, name: string, existing: WorkspaceInfo | undefined): Promise<boolean> =>
  trying(async () => {
    if (!existing) {
      const id = await keepFolder(draft, name)
      return toastUndo(`${name} is in your patterns.`, () => void remove(id))
    }
    const before = await patternLibrary.load(existing.id)
    const kept = await keepVersionOf(existing, draft)
    if (!kept) return toastUndo(`Another tab changed ${name}: this state is kept as ${name} (copy).`)
    toastUndo(`${name} has a new version.`, () => {
      if (before.ok && before.value) void restoreState(existing.id, before.value)
    })
  })

/** Adds the Python files of a dropped folder. */
export const addPythonFolder = ({ name, python }: { name: string; python: readonly TextFile[] }): Promise<boolean> =>
  addFolder({ workspace: { ...EMPTY_WORKSPACE, name, files: [...python] }, foreign: null }, name, undefined)

const restoreState = (id: string, draft: Draft): Promise<boolean> =>
  trying(async () => {
    const now = (await patternLibrary.list()).find((f) => f.id === id)
    if (now) await keepVersionOf(now, draft)
  })

export const renameFolder = (id: string, given: string): Promise<boolean> =>
  trying(async () => {
    const name = given.trim()
    if (name === '') return
    await patternLibrary.rename(id, name, nextStamp())
    await refreshFolders()
  })

export const duplicateFolder = ({ id, name }: WorkspaceInfo): Promise<boolean> =>
  trying(async () => {
    const kept = await patternLibrary.load(id)
    if (!kept.ok) return toastUndo(kept.error.message)
    if (kept.value) await keepFolder(kept.value, `${name} (copy)`)
  })

const remove = (id: string): Promise<boolean> =>
  trying(async () => {
    await patternLibrary.remove(id, nextStamp())
    await refreshFolders()
  })

export const restoreFolder = (id: string): Promise<boolean> =>
  trying(async () => {
    await patternLibrary.restore(id, nextStamp())
    await refreshFolders()
  })

export async function deleteFolder({ id, name }: WorkspaceInfo): Promise<void> {
  if (await remove(id)) toastUndo(`${name} is deleted. It can be restored for 30 days.`, () => void restoreFolder(id))
}

/** Returns to a version; the present state becomes a version. */
export async function returnToVersion(info: WorkspaceInfo, version: Draft): Promise<void> {
  const now = await patternLibrary.load(info.id).catch(() => null)
  if (!(await trying(() => keepVersionOf(info, version)))) return
  toastUndo(`${info.name} is as it was.`, () => {
    if (now?.ok && now.value) void restoreState(info.id, now.value)
  })
}

/** Opens a folder as a workspace, with the graph on screen. "Add to my patterns" there keeps its next version. */
export const openFolder = (id: string): Promise<boolean> =>
  trying(async () => {
    const kept = await patternLibrary.load(id)
    if (!kept.ok) return toastUndo(kept.error.message)
    if (!kept.value) return
    const { workspace, foreign } = kept.value
    const graph = shownGraph(useWorkspace.getState().workspace)
    closeOverlay()
    const undo = openOwn({ workspace: withGraphs(workspace, [graph], 0), foreign })
    toastUndo(`${workspace.name} is open: ${count(workspace.files.length, 'file')}.`, undo)
  })
