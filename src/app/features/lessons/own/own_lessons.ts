/** Lessons that the user recorded or opened: the list, reading, keeping, deleting. */
import { create } from 'zustand'
import { messageOf } from '../../../../base/error_message'
import {
  ownLesson,
  ownLessons,
  putOwnLesson,
  removeOwnLesson,
  type OwnLesson,
} from '../../../../workspace/library/own_lessons'
import type { Workspace } from '../../../../workspace/types'
import { isEmbed } from '../../../session/framed'
import { perPage } from '../../../session/scope'
import { toast, toastUndo } from '../../../session/view_store'
import type { OpenLesson } from '../store'

const ID = /^own-[\w-]+$/

/** True for a lesson that is not part of the site. */
export const isOwnLesson = (id: string): boolean => ID.test(id)

/** `own-` and a random UUID. */
export const newLessonId = (): string => `own-${crypto.randomUUID()}`

export const useOwnLessons = create<{ list: readonly OwnLesson[] }>(() => ({ list: [] }))

/** Lessons that this page has written or read, so that the newest state opens before IndexedDB has it. */
const recent = perPage(() => new Map<string, OwnLesson>())

export async function loadOwnLessons(): Promise<void> {
  try {
    const stored = await ownLessons()
    const list = [...recent().values(), ...stored.filter((l) => !recent().has(l.id))]
    useOwnLessons.setState({ list: list.sort((a, b) => b.at - a.at) })
  } catch {
    // Without storage, the lessons of this visit are listed.
    useOwnLessons.setState({ list: [...recent().values()] })
  }
}

/** Keeps a lesson until the page closes: a frame stores nothing. */
export const holdLesson = (lesson: OwnLesson): void => void recent().set(lesson.id, lesson)

/** Stores a lesson. Without storage, the page keeps it until it closes, and says so. */
export async function keepLesson(lesson: OwnLesson): Promise<void> {
  recent().set(lesson.id, lesson)
  try {
    await putOwnLesson(lesson)
  } catch (e) {
    toast(`The lesson is kept until this page closes: ${messageOf(e)}. Save it as a file.`, {
      tone: 'bad',
    })
  }
  await loadOwnLessons()
}

export async function deleteLesson(lesson: OwnLesson): Promise<void> {
  recent().delete(lesson.id)
  await removeOwnLesson(lesson.id).catch(() => undefined)
  await loadOwnLessons()
  toastUndo(`“${lesson.title}” is deleted.`, () => void keepLesson(lesson))
}

/** The files of a lesson; null if it is not stored. A frame does not read the visitor's stored work. */
export async function filesOfLesson(id: string): Promise<OwnLesson | null> {
  return recent().get(id) ?? (isEmbed() ? null : await ownLesson(id).catch(() => undefined)) ?? null
}

/** Reads a lesson to play it; null if it is not stored. @throws Error, one sentence, for a malformed lesson */
export async function readOwnLesson(id: string): Promise<OpenLesson | null> {
  const [found, { readLesson }] = await Promise.all([filesOfLesson(id), import('../files/lesson_files')])
  if (!found) return null
  const { file, texts } = readLesson(id, (path) => found.files.get(path) ?? null)
  return { id, file, texts, own: { title: found.title, at: found.at } }
}

/** A workspace of a lesson, and whether its code was received from somebody. @throws Error, one sentence */
export async function ownWorkspace(id: string, name: string): Promise<{ workspace: Workspace; received: boolean }> {
  const [found, { lessonWorkspace, readLesson }] = await Promise.all([
    filesOfLesson(id),
    import('../files/lesson_files'),
  ])
  if (!found) throw new Error('it is not kept in this browser')
  const read = (path: string): string | null => found.files.get(path) ?? null
  return { workspace: lessonWorkspace(readLesson(id, read), name, read), received: found.received }
}
