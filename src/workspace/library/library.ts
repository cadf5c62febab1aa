/** The library of workspaces: load, save without overwriting another tab, rename, duplicate, delete, versions. */
import { err, ok, type Result } from '../../base/result'
import { firstIssue, workspaceSchema } from '../schema'
import { problem } from '../versions'
import { isNewer, openDatabase, type Database } from './database'
import { followsOwn } from './stamp'
import type { Draft, Stamp, VersionInfo, VersionReason, WorkspaceInfo } from './types'
import { sizeOf, spareVersions } from './version_limits'

/** Time for which deleted workspaces can be restored, in ms. */
export const DELETED_KEPT_MS = 30 * 24 * 3600_000

/** A save of a workspace. */
export interface Save {
  id: string
  draft: Draft
  /** The stored state that the edits began from; null if none was stored. */
  base: Stamp | null
  stamp: Stamp
  /** Keeps the stored state as a version first. */
  keepStored?: boolean
}

export interface Kept extends Draft {
  stamp: Stamp
}

export class Library {
  private database: Promise<Database> | null = null

  /** @param name of the database; absent: that of the workspaces */
  constructor(private readonly name?: string) {}

  /** @throws DOMException if the browser denies storage; the next call tries again */
  private async db(): Promise<Database> {
    this.database ??= openDatabase(() => (this.database = null), this.name)
    try {
      return await this.database
    } catch (e) {
      this.database = null
      throw e
    }
  }

  /** True if a later version of the page has upgraded the database: its contents open, but nothing is stored. */
  async isNewer(): Promise<boolean> {
    return isNewer(await this.db())
  }

  /** The database, to write. @throws DOMException VersionError for one of a later version of the page */
  private async writable(): Promise<Database> {
    const db = await this.db()
    if (isNewer(db)) throw new DOMException('The database is of a later version.', 'VersionError')
    return db
  }

  /** Closes the database; the next call opens it again. */
  async close(): Promise<void> {
    const database = this.database
    this.database = null
    ;(await database?.catch(() => null))?.close()
  }

  /** The workspaces, newest first, including deleted ones. */
  async list(): Promise<WorkspaceInfo[]> {
    const all = await (await this.db()).getAll('workspaces')
    return all.map(wholeWorkspace).sort((a, b) => b.at - a.at)
  }

  /** A workspace that is not deleted; null: there is none; a Problem: it is damaged. */
  async load(id: string): Promise<Result<Kept | null>> {
    const tx = (await this.db()).transaction(['workspaces', 'bodies'])
    const [info, body] = await Promise.all([tx.objectStore('workspaces').get(id), tx.objectStore('bodies').get(id)])
    if (!info || !body || info.deletedAt !== undefined) return ok(null)
    const draft = checked(body)
    return draft.ok ? ok({ ...draft.value, stamp: info.stamp }) : draft
  }

  /** Saves a workspace unless another tab has saved it since `base`. @returns false if another tab has; nothing is changed then */
  async save({ id, draft, base, stamp, keepStored = false }: Save): Promise<boolean> {
    const tx = (await this.writable()).transaction(['workspaces', 'bodies', 'versions'], 'readwrite')
    const [rows, bodies] = [tx.objectStore('workspaces'), tx.objectStore('bodies')]
    const stored = await rows.get(id)
    const before = stored && (await bodies.get(id))
    // An edit restores a deleted workspace, and its deleted state becomes a version.
    const deleted = stored?.deletedAt !== undefined
    if (stored && before && !deleted && stored.stamp !== base && !followsOwn(stored.stamp, stamp)) {
      const same = JSON.stringify(before.workspace) === JSON.stringify(draft.workspace)
      if (!same) return false
    }
    const at = Date.now()
    if (stored && before && (keepStored || deleted)) {
      const versions = tx.objectStore('versions')
      // Another version may have this time: some browsers round it to 100 ms, and a clock may be set back.
      let made = stored.at
      while ((await versions.getKey(versionKey(id, made))) !== undefined) made++
      const version = versionRow(id, made, { kind: 'edited' }, before)
      await Promise.all([versions.put(version), bodies.put(before, version.key)])
    }
    await Promise.all([rows.put({ id, name: draft.workspace.name, at, stamp }), bodies.put(draft, id), tx.done])
    if (keepStored) await this.limitVersions(id)
    return true
  }

  /** Marks a workspace as deleted. */
  async remove(id: string, stamp: Stamp): Promise<void> {
    await this.mark(id, { stamp, deletedAt: Date.now() })
  }

  /** Undoes `remove`. */
  async restore(id: string, stamp: Stamp): Promise<void> {
    await this.mark(id, { stamp })
  }

  private async mark(id: string, change: Pick<WorkspaceInfo, 'stamp' | 'deletedAt'>): Promise<void> {
    const tx = (await this.writable()).transaction('workspaces', 'readwrite')
    const stored = await tx.store.get(id)
    if (!stored) return
    const { deletedAt: _was, ...row } = stored
    await Promise.all([tx.store.put({ ...row, ...change }), tx.done])
  }

  /**
   * Gives a workspace and its versions another id.
   * @param source of its draft from now on
   * @param stamp of this change
   * @returns false if there is no such workspace, or the other id is taken; nothing is changed then
   */
  async move(from: string, to: string, source: string, stamp: Stamp): Promise<boolean> {
    const kept = await this.versions(from)
    const tx = (await this.writable()).transaction(['workspaces', 'bodies', 'versions'], 'readwrite')
    const [rows, bodies, versions] = [
      tx.objectStore('workspaces'),
      tx.objectStore('bodies'),
      tx.objectStore('versions'),
    ]
    const [row, body, taken] = await Promise.all([rows.get(from), bodies.get(from), rows.getKey(to)])
    if (!row || !body || taken !== undefined) return false
    const [, , ...old] = await Promise.all([
      rows.put({ ...row, id: to, stamp }),
      bodies.put({ ...body, source }, to),
      ...kept.map((v) => bodies.get(v.key)),
    ])
    await Promise.all([
      rows.delete(from),
      bodies.delete(from),
      ...kept.flatMap((v, i) => {
        const key = versionKey(to, v.at)
        return [
          versions.delete(v.key),
          bodies.delete(v.key),
          versions.put({ ...v, id: to, key }),
          bodies.put(old[i]!, key),
        ]
      }),
      tx.done,
    ])
    return true
  }

  /** Renames a stored workspace. @returns its draft; null if there is none */
  async rename(id: string, name: string, stamp: Stamp): Promise<Draft | null> {
    const tx = (await this.writable()).transaction(['workspaces', 'bodies'], 'readwrite')
    const [rows, bodies] = [tx.objectStore('workspaces'), tx.objectStore('bodies')]
    const [row, body] = await Promise.all([rows.get(id), bodies.get(id)])
    if (!row || !body) return null
    const draft = { ...body, workspace: { ...body.workspace, name } }
    await Promise.all([rows.put({ ...row, name, stamp }), bodies.put(draft, id), tx.done])
    return draft
  }

  /** Removes workspaces that were deleted before a time, with their versions. */
  async purge(before: number): Promise<void> {
    for (const { id, deletedAt } of await this.list()) {
      if (deletedAt === undefined || deletedAt >= before) continue
      const keys = (await this.versions(id)).map((v) => v.key)
      const tx = (await this.writable()).transaction(['workspaces', 'bodies', 'versions'], 'readwrite')
      const bodies = tx.objectStore('bodies')
      await Promise.all([
        tx.objectStore('workspaces').delete(id),
        bodies.delete(id),
        ...keys.flatMap((key) => [tx.objectStore('versions').delete(key), bodies.delete(key)]),
        tx.done,
      ])
    }
  }

  /** Keeps a version of a workspace, unless the newest one is equal. */
  async keepVersion(id: string, draft: Draft, why: VersionReason): Promise<void> {
    const [newest] = await this.versions(id)
    const body = newest && (await (await this.db()).get('bodies', newest.key))
    if (body && why.kind !== 'named' && JSON.stringify(body.workspace) === JSON.stringify(draft.workspace)) return
    const tx = (await this.writable()).transaction(['versions', 'bodies'], 'readwrite')
    const row = versionRow(id, Math.max(Date.now(), (newest?.at ?? 0) + 1), why, draft)
    await Promise.all([tx.objectStore('versions').put(row), tx.objectStore('bodies').put(draft, row.key), tx.done])
    await this.limitVersions(id)
  }

  /** The versions of a workspace, newest first. */
  async versions(id: string): Promise<VersionInfo[]> {
    const all = await (await this.db()).getAllFromIndex('versions', 'id', id)
    return all.map(wholeVersion).sort((a, b) => b.at - a.at)
  }

  /** The content of a version; null if it is gone; a Problem if it is damaged. */
  async version(key: string): Promise<Result<Draft | null>> {
    const body = await (await this.db()).get('bodies', key)
    return body ? checked(body) : ok(null)
  }

  private async limitVersions(id: string): Promise<void> {
    const spare = spareVersions(await this.versions(id))
    if (spare.length === 0) return
    const tx = (await this.writable()).transaction(['versions', 'bodies'], 'readwrite')
    await Promise.all([
      ...spare.flatMap(({ key }) => [tx.objectStore('versions').delete(key), tx.objectStore('bodies').delete(key)]),
      tx.done,
    ])
  }
}

const WHERE = 'browser storage'

const versionKey = (id: string, at: number): string => `${id}\n${at}`

const versionRow = (id: string, at: number, why: VersionReason, draft: Draft): VersionInfo => ({
  key: versionKey(id, at),
  id,
  at,
  why,
  size: sizeOf(draft.workspace),
})

const timeOf = (at: unknown): number => (typeof at === 'number' && Math.abs(at) < 8.64e15 ? at : 0)

/** A row with all fields of the right type. A damaged row is listed too, and its body says what is wrong. */
const wholeWorkspace = ({ name, at, ...row }: WorkspaceInfo): WorkspaceInfo => ({
  ...row,
  name: typeof name === 'string' ? name : 'Damaged',
  at: timeOf(at),
})

const wholeVersion = ({ at, why, size, ...row }: VersionInfo): VersionInfo => ({
  ...row,
  at: timeOf(at),
  why: isReason(why) ? why : { kind: 'edited' },
  size: typeof size === 'number' ? size : 0,
})

const isReason = (why: VersionReason | undefined): boolean => {
  if (why?.kind === 'before') return typeof why.what === 'string'
  if (why?.kind === 'named') return typeof why.name === 'string'
  return why?.kind === 'opened' || why?.kind === 'edited'
}

/** A stored body, validated by the schema, which upgrades the data of an earlier Fusescope. */
function checked(body: Draft): Result<Draft> {
  const parsed = workspaceSchema.safeParse(body.workspace)
  if (!parsed.success) return err(problem(WHERE, `The saved workspace is damaged: ${firstIssue(parsed.error)}.`))
  const { foreign, source } = body
  return ok({
    workspace: parsed.data,
    foreign: foreign ? { allowed: typeof foreign.allowed === 'string' ? foreign.allowed : null } : null,
    ...(typeof source === 'string' && { source }),
  })
}
