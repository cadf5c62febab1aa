/**
 * Lessons that the user recorded or opened, as files, in a separate IndexedDB database: the library of workspaces keeps their
 * edited workspaces.
 */
import { Renewable } from '../../base/memoize'
import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb'

export interface OwnLesson {
  id: string
  title: string
  /** Time of the last change, in ms. */
  at: number
  /** Text by path. */
  files: ReadonlyMap<string, string>
  /** True if it was received from somebody: its code needs consent before it runs. */
  received: boolean
}

interface Schema extends DBSchema {
  lessons: { key: string; value: OwnLesson }
}

const NAME = 'fusescope-lessons'

const database = new Renewable((): Promise<IDBPDatabase<Schema>> =>
  openDB<Schema>(NAME, 1, {
    upgrade: (opened) => void opened.createObjectStore('lessons', { keyPath: 'id' }),
    blocking: (_now, _next, event) => {
      ;(event.target as IDBDatabase).close()
      database.forget()
    },
    terminated: () => database.forget(),
  }),
)

/** @throws DOMException if the browser denies storage; the next call tries again */
const db = (): Promise<IDBPDatabase<Schema>> => database.get()

/** Newest first. */
export const ownLessons = async (): Promise<OwnLesson[]> =>
  (await (await db()).getAll('lessons')).sort((a, b) => b.at - a.at)

export const ownLesson = async (id: string): Promise<OwnLesson | undefined> => (await db()).get('lessons', id)

export const putOwnLesson = async (lesson: OwnLesson): Promise<void> => void (await (await db()).put('lessons', lesson))

export const removeOwnLesson = async (id: string): Promise<void> => (await db()).delete('lessons', id)

/** For tests. */
export async function deleteOwnLessons(): Promise<void> {
  ;(await database.held()?.catch(() => null))?.close()
  database.forget()
  await deleteDB(NAME)
}
