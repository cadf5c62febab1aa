/**
 * Ids of the stored workspaces, in local storage: they are known before IndexedDB answers, so an example that has no
 * stored edits opens without waiting for it.
 */
import { isEmbed } from './framed'
import { keepText, keptJson, keptText } from './kept_text'

const KEY = 'fusescope:kept'
const LAST = 'fusescope:last'

// Without the hint, an edited example opens as published; its next edit then becomes a copy.
const set = (key: string, value: string): void => void (isEmbed() || keepText(key, value))

function keptIds(): string[] {
  const value = isEmbed() ? null : keptJson(KEY)
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
}

/** True for an example, false for a link, a lesson or the user's own workspace. */
export const isExampleId = (id: string): boolean => !/^(own|link|lesson):/.test(id)

/** False: the library has no workspace with this id. */
export const mayBeKept = (id: string): boolean => keptIds().includes(id)

/** Sets the ids, after the list of workspaces was read. */
export const setKeptIds = (ids: readonly string[]): void => set(KEY, JSON.stringify(ids))

export function addKeptId(id: string): void {
  const ids = keptIds()
  if (!ids.includes(id)) setKeptIds([...ids, id])
}

/** The id of the workspace that was opened last. */
export const lastOrigin = (): string | null => (isEmbed() ? null : keptText(LAST))
export const rememberOrigin = (origin: string): void => set(LAST, origin)

/** The origin of a lesson's workspace: `lesson:ID/WORKSPACE`. */
const LESSON = /^lesson:([\w-]+)\/([\w-]+)$/

export const lessonOrigin = (id: string, workspace: string): string => `lesson:${id}/${workspace}`

/** The lesson and the workspace that an origin names; null for another origin. */
export function lessonOf(origin: string): { id: string; workspace: string } | null {
  const found = LESSON.exec(origin)
  return found && { id: found[1]!, workspace: found[2]! }
}
