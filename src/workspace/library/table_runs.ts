/** The results of the table of patterns, by folder and code version, so that a run can be compared with an earlier version. */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb'

/** Counts of one version of a folder. */
export interface TableRun {
  folder: string
  /** Hash of the code. */
  code: string
  /** Date.now() of the run. */
  at: number
  /** By the hash of a graph; the counts are plain data of the engine. */
  counts: Record<string, unknown>
}

interface RunSchema extends DBSchema {
  runs: { key: [string, string]; value: TableRun; indexes: { folder: string } }
}

const NAME = 'fusescope-tables'
/** Maximum number of versions of a folder whose results are kept. */
const MAX_RUNS = 20

export class TableRuns {
  private database: Promise<IDBPDatabase<RunSchema>> | null = null

  /** @throws DOMException if the browser denies storage; the next call tries again */
  private async db(): Promise<IDBPDatabase<RunSchema>> {
    this.database ??= openDB<RunSchema>(NAME, 1, {
      upgrade(db) {
        db.createObjectStore('runs', { keyPath: ['folder', 'code'] }).createIndex('folder', 'folder')
      },
      terminated: () => (this.database = null),
    })
    try {
      return await this.database
    } catch (e) {
      this.database = null
      throw e
    }
  }

  /** The runs of a folder, newest first. */
  async of(folder: string): Promise<TableRun[]> {
    return (await (await this.db()).getAllFromIndex('runs', 'folder', folder)).sort((a, b) => b.at - a.at)
  }

  /** Stores a run, replacing the earlier run of the same code; counts of graphs that did not run again stay. */
  async keep(run: TableRun): Promise<void> {
    const earlier = await this.of(run.folder)
    const same = earlier.find((r) => r.code === run.code)
    const tx = (await this.db()).transaction('runs', 'readwrite')
    const spare = earlier.filter((r) => r !== same).slice(MAX_RUNS - 1)
    await Promise.all([
      tx.store.put({ ...run, counts: { ...same?.counts, ...run.counts } }),
      ...spare.map((r) => tx.store.delete([r.folder, r.code])),
      tx.done,
    ])
  }

  async close(): Promise<void> {
    const database = this.database
    this.database = null
    ;(await database?.catch(() => null))?.close()
  }
}
