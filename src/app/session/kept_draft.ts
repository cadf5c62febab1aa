/** The stored edits of an example, of a link or of the user's own workspace. */
import { sourceOf } from '../../workspace/code_origin'
import { withUniqueNames } from '../../workspace/graphs'
import type { Draft } from '../../workspace/library'
import type { Workspace } from '../../workspace/types'
import { addKeptId, mayBeKept } from './kept_ids'
import { isUnsaved, keptDraft, library, nextStamp, problemText, setStamp } from './saver'
import { toast } from './view_store'

/** Null: there are none. A damaged workspace is reported in a toast and stays stored. */
export async function draftOf(id: string): Promise<Draft | null> {
  if (!mayBeKept(id) && !isUnsaved(id)) return null
  const draft = await keptDraft(id)
  if (draft.ok) return draft.value
  toast(problemText(draft.error), { tone: 'bad' })
  return null
}

/** Something received, and where its edits are stored. */
export interface Sent {
  /** Identifies it by SHA-256 of its text or address. */
  id: string
  /** The 32-bit id of earlier versions, which other texts may share. */
  earlier: string
  /** See Draft: what the stored edits began from. */
  source: string
}

/** The stored edits of something received. */
export interface KeptOfSent {
  /** The edits that began from it; null: there are none. */
  draft: Draft | null
  /** The id of stored edits that began from something else, or from an unknown source: `offerEdits` offers them. */
  other: string | null
}

/**
 * Compares the source of stored edits before they are restored.
 * @param sent the workspace as it was sent; null: not loaded yet, so edits of an earlier version are not searched
 */
export async function draftOfSent({ id, earlier, source }: Sent, sent: Workspace | null): Promise<KeptOfSent> {
  const draft = await draftOf(id)
  if (draft?.source === source) return { draft, other: null }
  if (draft) {
    // Edits here do not build on the stored state, so they become a copy.
    setStamp(id, undefined)
    return { draft: null, other: id }
  }
  if (!sent || !mayBeKept(earlier)) return { draft: null, other: null }
  if ((await beganAs(earlier, sent)) && (await moved(earlier, { id, earlier, source })))
    return { draft: await draftOf(id), other: null }
  return { draft: null, other: earlier }
}

/** The id under which an earlier version stored edits of something received; null if it stored none. */
export const earlierOf = ({ earlier }: Sent): string | null => (mayBeKept(earlier) ? earlier : null)

/** Offers stored edits that were not restored. @param open opens stored edits by their id */
export function offerEdits(id: string | null, open: (id: string) => unknown): void {
  if (id === null) return
  toast('Your workspaces hold edits that may belong to this one: the text that they started from is unknown.', {
    action: { label: 'Open them', run: () => void open(id) },
  })
}

/** True if a stored workspace was opened as this one: it is equal to it, or a version from before its first edit is. */
async function beganAs(id: string, sent: Workspace): Promise<boolean> {
  const source = sourceOf(withUniqueNames(sent))
  const draft = await draftOf(id)
  if (!draft) return false
  if (sourceOf(draft.workspace) === source) return true
  const opened = (await library.versions(id)).filter((v) => v.why?.kind === 'opened')
  for (const { key } of opened) {
    const version = await library.version(key)
    if (version.ok && version.value && sourceOf(version.value.workspace) === source) return true
  }
  return false
}

async function moved(from: string, { id, source }: Sent): Promise<boolean> {
  if (!(await library.move(from, id, source, nextStamp()).catch(() => false))) return false
  addKeptId(id)
  return true
}
