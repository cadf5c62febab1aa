/** The IndexedDB database of a library. Rows of lists are stored separately from bodies, so that a list loads no text. */
import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb'
import type { Draft, VersionInfo, WorkspaceInfo } from './types'

export interface LibrarySchema extends DBSchema {
  workspaces: { key: string; value: WorkspaceInfo }
  versions: { key: string; value: VersionInfo; indexes: { id: string } }
  /** By the id of a workspace or the key of a version. */
  bodies: { key: string; value: Draft }
}

export type Database = IDBPDatabase<LibrarySchema>

const NAME = 'fusescope'
/** To be raised, with a step in `upgrade`, when the schema changes. */
const VERSION = 1

/**
 * Opens the database, or creates it. A database of a later version of the page opens unchanged; see `isNewer`.
 * @param name of the database; default: that of the workspaces
 * @throws DOMException if the browser denies storage
 */
export async function openDatabase(onLost: () => void = () => {}, name = NAME): Promise<Database> {
  try {
    return await open(name, VERSION, onLost)
  } catch (e) {
    if (e instanceof DOMException && e.name === 'VersionError') return open(name, undefined, onLost)
    throw e
  }
}

/** True for a database that a later version of the page has upgraded: this version reads it but does not write it. */
export const isNewer = (db: Database): boolean => db.version > VERSION

function open(name: string, version: number | undefined, onLost: () => void): Promise<Database> {
  return openDB<LibrarySchema>(name, version, {
    upgrade(db, from) {
      if (from >= 1) return
      db.createObjectStore('workspaces', { keyPath: 'id' })
      db.createObjectStore('versions', { keyPath: 'key' }).createIndex('id', 'id')
      db.createObjectStore('bodies')
    },
    // A later version of the page upgrades in another tab: this tab closes the database, and reopens it at its next save.
    blocking: (_now, _next, event) => {
      ;(event.target as IDBDatabase).close()
      onLost()
    },
    terminated: onLost,
  })
}

/** For tests. */
export const deleteDatabase = (): Promise<void> => deleteDB(NAME)
