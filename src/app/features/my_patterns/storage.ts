/** The user's pattern folders in this browser: each is a workspace without a graph, with versions. */
import { create } from 'zustand'
import { Library, type Draft, type WorkspaceInfo } from '../../../workspace/library'
import { TableRuns } from '../../../workspace/library/table_runs'
import type { Workspace } from '../../../workspace/types'
import { nextStamp, reasonOf } from '../../session/saver'

export const patternLibrary = new Library('fusescope-patterns')
export const tableRuns = new TableRuns()

export const useFolders = create(() => ({
  /** By name, including deleted folders. Null: not read yet. */
  list: null as readonly WorkspaceInfo[] | null,
  /** Why the browser cannot store folders, one sentence. */
  problem: null as string | null,
}))
export type FolderList = ReturnType<typeof useFolders.getState>

export async function refreshFolders(): Promise<void> {
  try {
    const list = await patternLibrary.list()
    useFolders.setState({ list: list.sort((a, b) => a.name.localeCompare(b.name)), problem: null })
  } catch (e) {
    useFolders.setState({ problem: reasonOf(e) })
  }
}

export const keptFolders = ({ list }: Pick<FolderList, 'list'>): WorkspaceInfo[] =>
  (list ?? []).filter((f) => f.deletedAt === undefined)

/** The user's own folders, without those whose code came from a link; none if the browser denies storage. */
export async function runnableFolders(): Promise<{ id: string; workspace: Workspace }[]> {
  await refreshFolders()
  const found: { id: string; workspace: Workspace }[] = []
  for (const { id } of keptFolders(useFolders.getState())) {
    const kept = await patternLibrary.load(id).catch(() => null)
    // Code from a link needs a worker of its own, which only the table provides.
    if (kept?.ok && kept.value?.foreign === null) found.push({ id, workspace: kept.value.workspace })
  }
  return found
}

/** The part of a workspace that a folder keeps: its code and its settings for a run. */
export const folderOf = ({ workspace, foreign }: Draft, name: string): Draft => {
  const { files, passes, options, environment } = workspace
  const graph = { name: 'graph.txt', text: '' }
  const kept: Workspace = {
    name,
    graph,
    files,
    options,
    ...(passes && { passes }),
    ...(environment && { environment }),
  }
  return { workspace: kept, foreign }
}

const newId = (): string => `patterns:${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`

/** Stores a new folder. @returns its id @throws DOMException if the browser denies storage */
export async function keepFolder(draft: Draft, name: string): Promise<string> {
  const id = newId()
  await patternLibrary.save({ id, draft: folderOf(draft, name), base: null, stamp: nextStamp() })
  await refreshFolders()
  return id
}

/**
 * Stores a new state of a folder; the earlier state becomes a version. If another tab has changed the folder since it was listed,
 * the state becomes a separate folder.
 * @returns false for such a copy
 */
export async function keepVersionOf(info: WorkspaceInfo, draft: Draft): Promise<boolean> {
  const { id, name, stamp } = info
  const next = { id, draft: folderOf(draft, name), base: stamp, stamp: nextStamp(), keepStored: true }
  const saved = await patternLibrary.save(next)
  if (!saved) await keepFolder(draft, `${name} (copy)`)
  await refreshFolders()
  return saved
}
