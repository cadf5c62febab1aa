/** Opens lesson files: a zip archive or a folder with lesson.json and lesson.md. */
import { pageAddress } from '../../../site_files'
import { copyAndSay } from '../../../ui/clipboard'
import { messageOf } from '../../../../base/error_message'
import { fnv1a } from '../../../../base/hash'
import { sha256 } from '../../../../base/sha256'
import { isLessonFragment, lessonFragment, readLessonFragment } from '../../../../workspace/library/lesson_link'
import { entriesOf, fileOf } from '../../../files/folder'
import { isEmbed } from '../../../session/framed'
import { toast } from '../../../session/view_store'
import { askedStep, openLesson } from '../open_lesson'
import { filesOfLesson, holdLesson, keepLesson, newLessonId } from './own_lessons'

const LESSON = 'lesson.json'

/** The lesson files in an archive, with or without a folder around them; null if it holds no lesson. */
export async function lessonInZip(file: File): Promise<Map<string, string> | null> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  const { isZip, readZip } = await import('../files/zip')
  if (!isZip(start)) return null
  const bytes = new Uint8Array(await file.arrayBuffer())
  // File names in an archive are not compressed.
  if (!new TextDecoder('latin1').decode(bytes).includes(LESSON)) return null
  return withoutFolder(await readZip(bytes))
}

/** The files of a dropped folder; null if it is not a lesson. */
export async function lessonInFolder(folder: FileSystemDirectoryEntry): Promise<Map<string, string> | null> {
  if (!(await has(folder, LESSON)) || !(await has(folder, 'lesson.md'))) return null
  const files = new Map<string, string>()
  const read = async (directory: FileSystemDirectoryEntry, prefix: string): Promise<void> => {
    for (const entry of await entriesOf(directory)) {
      const path = `${prefix}${entry.name}`
      if (entry.isDirectory) await read(entry as FileSystemDirectoryEntry, `${path}/`)
      else if (!path.endsWith('.stored.json'))
        files.set(path, await (await fileOf(entry as FileSystemFileEntry)).text())
    }
  }
  await read(folder, '')
  return files
}

function withoutFolder(files: ReadonlyMap<string, string>): Map<string, string> | null {
  const at = [...files.keys()].filter((p) => p === LESSON || p.endsWith(`/${LESSON}`))
  if (at.length !== 1) return null
  const prefix = at[0]!.slice(0, -LESSON.length)
  return new Map(
    [...files]
      .filter(([p]) => p.startsWith(prefix) && !p.endsWith('.stored.json'))
      .map(([p, text]) => [p.slice(prefix.length), text]),
  )
}

/** The same files reopen the same lesson with its progress; different files never replace a stored lesson. */
async function idOf(files: ReadonlyMap<string, string>): Promise<string> {
  const text = JSON.stringify([...files])
  const id = `own-${sha256(text)}`
  // A frame does not read the visitor's stored work.
  if (isEmbed()) return id
  // Earlier versions named lessons by 32 bits.
  for (const stored of [`own-${fnv1a(text).toString(36)}`, id]) {
    const kept = await filesOfLesson(stored)
    if (kept && JSON.stringify([...kept.files]) === text) return stored
  }
  return (await filesOfLesson(id)) === null ? id : newLessonId()
}

/**
 * Stores and plays a received lesson; a frame stores nothing.
 * @param step from 0
 * @returns false, with a toast, if it does not open
 */
export async function playLessonFiles(sent: ReadonlyMap<string, string>, name: string, step = 0): Promise<boolean> {
  try {
    const { namedFiles, readLesson } = await import('../files/lesson_files')
    const lessonSent = readLesson('the lesson', (path) => sent.get(path) ?? null)
    const [{ title }, files] = [lessonSent, namedFiles(lessonSent, sent)]
    const id = await idOf(files)
    const lesson = { id, title, at: Date.now(), files, received: true }
    if (isEmbed()) holdLesson(lesson)
    else await keepLesson(lesson)
    const opened = await openLesson(id, step)
    if (opened && !isEmbed()) toast(`“${title}” is kept in this browser, under Learn.`)
    return opened
  } catch (e) {
    toast(`${name} is not a lesson: ${messageOf(e)}`, { tone: 'bad' })
    return false
  }
}

/** The address fragment that opens a stored lesson and contains its files; null if it is not stored. */
export async function keptFragment(id: string): Promise<string | null> {
  const kept = await filesOfLesson(id)
  return kept && lessonFragment(kept.files)
}

/** Copies a link to a stored lesson; the link contains the lesson itself. */
export async function copyLink(id: string): Promise<void> {
  const fragment = await keptFragment(id)
  if (fragment !== null)
    await copyAndSay(pageAddress() + fragment, 'The link to this lesson is copied; the lesson is in it.')
}

/** Plays the lesson of the address at its `?step=`. @returns false if it names none */
export async function openLessonOfAddress(): Promise<boolean> {
  if (!isLessonFragment(location.hash)) return false
  await openLessonFragment(location.hash, askedStep() ?? 0)
  return true
}

/** @param step from 0 @returns false, with a toast, if it does not open */
export async function openLessonFragment(fragment: string, step: number): Promise<boolean> {
  const files = await readLessonFragment(fragment)
  if (files) return playLessonFiles(files, 'The link', step)
  toast('The lesson of this link could not be read: the link is truncated or changed.', { tone: 'bad' })
  return false
}

const has = (folder: FileSystemDirectoryEntry, name: string): Promise<boolean> =>
  new Promise((resolve) => {
    folder.getFile(
      name,
      {},
      () => resolve(true),
      () => resolve(false),
    )
  })
