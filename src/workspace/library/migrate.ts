/** Moves the drafts that earlier versions kept in local storage into the library. */
import { draftIds, dropDraft, readDraft } from '../storage'
import type { Library } from './library'
import { stampOf } from './stamp'

/**
 * Copies each draft, and removes it from local storage once it is stored. If the library has another workspace with the id, the
 * draft becomes a separate workspace. A draft that cannot be read stays.
 * @param newId creates the id of such a workspace
 * @returns the ids of the workspaces that were added
 */
export async function migrateDrafts(store: Storage, library: Library, newId: () => string): Promise<string[]> {
  const moved: string[] = []
  for (const id of draftIds(store)) {
    const draft = readDraft(store, id)
    if (!draft.ok || !draft.value) continue
    const save = { draft: draft.value, base: null, stamp: stampOf('draft', 0) }
    const own = newId()
    const kept = (await library.save({ ...save, id })) ? id : (await library.save({ ...save, id: own })) ? own : null
    if (kept === null) continue
    dropDraft(store, id)
    moved.push(kept)
  }
  return moved
}
