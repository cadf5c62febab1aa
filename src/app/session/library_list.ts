/** The list of the workspaces that the library holds, for the picker and the list of workspaces. */
import { create } from 'zustand'
import { browserStorage, draftIds } from '../../workspace'
import { DELETED_KEPT_MS, migrateDrafts, readJournals, writeJournal, type WorkspaceInfo } from '../../workspace/library'
import { addKeptId, setKeptIds } from './kept_ids'
import { library, nextStamp, reasonOf, saveSoon, useSaving } from './saver'
import { listenToTabs, tabIsGone } from './tabs'
import { newOrigin } from './workspace_store'

/** Newest first, including deleted ones. */
export const useLibrary = create<{ list: readonly WorkspaceInfo[] }>(() => ({ list: [] }))

/** Reads the list again. Without storage it stays empty. */
export async function refreshList(): Promise<void> {
  try {
    const list = await library.list()
    useLibrary.setState({ list })
    setKeptIds(list.filter((w) => w.deletedAt === undefined).map((w) => w.id))
  } catch {
    // No storage: nothing is listed.
  }
}

/** Fills the list after the first screen, and follows the saves of all tabs. */
export async function startList(): Promise<void> {
  listenToTabs(() => void refreshList())
  useSaving.subscribe((now, before) => {
    if (now.saves !== before.saves) void refreshList()
  })
  if (await library.isNewer().catch(() => false))
    useSaving.setState({ problem: reasonOf(new DOMException('', 'VersionError')) })
  await library.purge(Date.now() - DELETED_KEPT_MS).catch(() => undefined)
  await refreshList()
}

/**
 * Moves the content of local storage to the library: edits of tabs that closed before they were written, and drafts of earlier
 * versions. Returns at once if there is none.
 */
export async function adoptLeftWork(): Promise<void> {
  const storage = browserStorage()
  if (!storage) return
  const reloaded = (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type
  const journals = readJournals(storage)
  if (journals.length === 0 && draftIds(storage).length === 0) return
  try {
    for (const { tab, saves, damaged = [] } of journals) {
      // The lock of a page that reloads may outlive it for a moment.
      if (!(await tabIsGone(tab)) && !(reloaded === 'reload' && (await soonGone(tab)))) continue
      for (const save of saves) {
        addKeptId(save.id)
        if (!(await library.save(save))) copyLeft(save.draft)
      }
      writeJournal(storage, { tab, saves: [], damaged })
    }
    for (const id of await migrateDrafts(storage, library, newOrigin)) addKeptId(id)
  } catch {
    // Local storage keeps the edits, and the next start tries again.
  }
}

async function soonGone(tab: string): Promise<boolean> {
  for (let i = 0; i < 5; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    if (await tabIsGone(tab)) return true
  }
  return false
}

/** Another tab has changed the workspace since: the edits become a separate workspace. */
function copyLeft(draft: Parameters<typeof saveSoon>[1]): void {
  const { workspace } = draft
  saveSoon(newOrigin(), { ...draft, workspace: { ...workspace, name: `${workspace.name} (copy)` } })
}

/** Deletes a workspace from the list; `restoreWorkspace` undoes it. */
export async function deleteWorkspace(id: string): Promise<void> {
  await library.remove(id, nextStamp())
  await refreshList()
}

export async function restoreWorkspace(id: string): Promise<void> {
  await library.restore(id, nextStamp())
  await refreshList()
}
