/**
 * Lessons that the user recorded or opened, as files, in an IndexedDB database of their own: the library of workspaces
 * keeps their edited workspaces.
 */
import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb'

export interface OwnLesson {
  id: string
  title: string
  /** Time of the last change, in ms. */
  at: number
  /** Text by path. */
  files: ReadonlyMap<string, string>
  /** It was sent by somebody: its code asks before it runs. */
  received: boolean
}

interface Schema extends DBSchema {
  lessons: { key: string; value: OwnLesson }
}

const NAME = 'fusescope-lessons'

let database: Promise<IDBPDatabase<Schema>> | null = null

/** @throws DOMException where the browser denies storage; the next call tries again */
async function db(): Promise<IDBPDatabase<Schema>> {
  const lost = (): void => void (database = null)
  database ??= openDB<Schema>(NAME, 1, {
    upgrade: (opened) => void opened.createObjectStore('lessons', { keyPath: 'id' }),
    blocking: (_now, _next, event) => {
      ;(event.target as IDBDatabase).close()
      lost()
    },
    terminated: lost,
  })
  try {
    return await database
  } catch (e) {
    lost()
    throw e
  }
}

/** Newest first. */
export const ownLessons = async (): Promise<OwnLesson[]> =>
  (await (await db()).getAll('lessons')).sort((a, b) => b.at - a.at)

export const ownLesson = async (id: string): Promise<OwnLesson | undefined> => (await db()).get('lessons', id)

export const putOwnLesson = async (lesson: OwnLesson): Promise<void> => void (await (await db()).put('lessons', lesson))

export const removeOwnLesson = async (id: string): Promise<void> => (await db()).delete('lessons', id)

/** For tests. */
export async function deleteOwnLessons(): Promise<void> {
  ;(await database?.catch(() => null))?.close()
  database = null
  await deleteDB(NAME)
}
