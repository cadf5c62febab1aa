import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Workspace } from '../types'
import { deleteDatabase, openDatabase } from './database'
import { readJournals, writeJournal } from './journal'
import { Library } from './library'
import { migrateDrafts } from './migrate'
import { followsOwn } from './stamp'
import type { Draft, VersionInfo } from './types'
import { MAX_VERSIONS, spareVersions } from './version_limits'

const workspace = (text: string, name = 'Mine'): Workspace => ({
  name,
  graph: { name: 'graph.txt', text: '' },
  files: [{ name: 'a.py', text }],
  options: { timeLimitS: 10 },
})
const draft = (text: string, name?: string): Draft => ({ workspace: workspace(text, name), foreign: null })

/** Local storage in memory. */
function memory(entries: Record<string, string> = {}): Storage {
  const map = new Map(Object.entries(entries))
  return {
    get length() {
      return map.size
    },
    key: (i) => [...map.keys()][i] ?? null,
    getItem: (k) => map.get(k) ?? null,
    setItem: (k, v) => void map.set(k, v),
    removeItem: (k) => void map.delete(k),
    clear: () => map.clear(),
  }
}

let library: Library
const textOf = async (id: string): Promise<string | undefined> => {
  const kept = await library.load(id)
  return kept.ok ? kept.value?.workspace.files[0]!.text : kept.error.message
}

beforeEach(() => void (library = new Library()))
afterEach(async () => {
  await library.close()
  await deleteDatabase()
})

describe('the library', () => {
  it('keeps workspaces with the origin of their code', async () => {
    expect(await library.load('own:a')).toEqual({ ok: true, value: null })
    const foreign = { workspace: workspace('x'), foreign: { allowed: 'hash' } }
    expect(await library.save({ id: 'link:a', draft: foreign, base: null, stamp: 't:1' })).toBe(true)
    expect(await library.load('link:a')).toEqual({ ok: true, value: { ...foreign, stamp: 't:1' } })
    expect(await library.list()).toMatchObject([{ id: 'link:a', name: 'Mine' }])
  })

  it('refuses a save over the text of another tab, unless it is the same text', async () => {
    await library.save({ id: 'a', draft: draft('1'), base: null, stamp: 'one:1' })
    expect(await library.save({ id: 'a', draft: draft('2'), base: 'one:1', stamp: 'two:1' })).toBe(true)
    // Tab one has not seen the save of tab two.
    expect(await library.save({ id: 'a', draft: draft('3'), base: 'one:1', stamp: 'one:2' })).toBe(false)
    expect(await textOf('a')).toBe('2')
    expect(await library.save({ id: 'a', draft: draft('2'), base: 'one:1', stamp: 'one:3' })).toBe(true)
    // A write that was on its way when its tab closed is an earlier save of the same tab.
    expect(await library.save({ id: 'a', draft: draft('4'), base: null, stamp: 'one:4' })).toBe(true)
    expect([followsOwn('a:2', 'a:10'), followsOwn('a:10', 'a:2'), followsOwn('b:1', 'a:2')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('deletes until a restore or an edit, and purges later with all versions', async () => {
    await library.save({ id: 'a', draft: draft('1'), base: null, stamp: 't:1' })
    await library.remove('a', 't:2')
    expect([await textOf('a'), (await library.list())[0]!.deletedAt]).toEqual([undefined, expect.any(Number)])
    await library.restore('a', 't:3')
    expect(await textOf('a')).toBe('1')
    await library.remove('a', 't:4')
    expect(await library.save({ id: 'a', draft: draft('2'), base: null, stamp: 'u:1' })).toBe(true)
    const [version] = await library.versions('a')
    expect(await library.version(version!.key)).toMatchObject({ value: draft('1') })
    await library.remove('a', 't:5')
    await library.purge(Date.now() + 1)
    expect([await library.list(), await library.versions('a')]).toEqual([[], []])
    expect(await library.version(version!.key)).toEqual({ ok: true, value: null })
  })

  it('renames, and keeps versions in order, each text once', async () => {
    await library.save({ id: 'a', draft: draft('1'), base: null, stamp: 't:1' })
    expect((await library.rename('a', 'New', 't:2'))?.workspace.name).toBe('New')
    await library.keepVersion('a', draft('1'), { kind: 'opened' })
    await library.keepVersion('a', draft('1'), { kind: 'edited' })
    await library.keepVersion('a', draft('2'), { kind: 'before', what: 'the graph was replaced' })
    await library.keepVersion('a', draft('2'), { kind: 'named', name: 'works' })
    expect((await library.versions('a')).map((v) => v.why.kind)).toEqual(['named', 'before', 'opened'])
    await library.save({ id: 'a', draft: draft('3'), base: 't:2', stamp: 't:3', keepStored: true })
    expect((await library.versions('a')).map((v) => v.why.kind)).toContain('edited')
  })

  it('keeps every version of one time: a clock may be coarse, or be set back', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(1000)
    await library.save({ id: 'a', draft: draft('1'), base: null, stamp: 't:1' })
    await library.keepVersion('a', draft('1'), { kind: 'named', name: 'works' })
    await library.save({ id: 'a', draft: draft('2'), base: 't:1', stamp: 't:2', keepStored: true })
    await library.remove('a', 't:3')
    await library.save({ id: 'a', draft: draft('3'), base: null, stamp: 'u:1' })
    vi.restoreAllMocks()
    const kept = await library.versions('a')
    const texts = await Promise.all(
      kept.map(async ({ key }) => ((await library.version(key)) as { value: Draft }).value),
    )
    expect(kept.map(({ why }, i) => [why.kind, texts[i]!.workspace.files[0]!.text]).sort()).toEqual([
      ['edited', '1'],
      ['edited', '2'],
      ['named', '1'],
    ])
  })

  it('moves a workspace with its versions to another id, unless that is taken', async () => {
    await library.save({ id: 'a', draft: draft('1'), base: null, stamp: 't:1' })
    await library.keepVersion('a', draft('0'), { kind: 'opened' })
    await library.save({ id: 'b', draft: draft('2'), base: null, stamp: 't:1' })
    expect(await library.move('a', 'b', 'source', 't:2')).toBe(false)
    expect(await library.move('none', 'c', 'source', 't:2')).toBe(false)
    expect(await library.move('a', 'c', 'source', 't:2')).toBe(true)
    expect(await library.load('c')).toEqual({ ok: true, value: { ...draft('1'), source: 'source', stamp: 't:2' } })
    const [version] = await library.versions('c')
    expect(await library.version(version!.key)).toEqual({ ok: true, value: draft('0') })
    expect([await textOf('a'), await library.versions('a'), await textOf('b')]).toEqual([undefined, [], '2'])
  })

  it('reports a damaged workspace and leaves it stored', async () => {
    await library.save({ id: 'a', draft: draft('1'), base: null, stamp: 't:1' })
    const db = await openDatabase()
    await db.put('bodies', { workspace: { name: 1 } } as never, 'a')
    db.close()
    expect(await textOf('a')).toMatch(/damaged: name/)
    expect(await library.save({ id: 'a', draft: draft('2'), base: null, stamp: 'u:1' })).toBe(false)
  })

  it('lists damaged rows, and gives each of their fields its type', async () => {
    await library.save({ id: 'a', draft: draft('1'), base: null, stamp: 't:1' })
    await library.keepVersion('a', draft('0'), { kind: 'opened' })
    const db = await openDatabase()
    await db.put('workspaces', { id: 'b', name: 5, at: 'x' } as never)
    await db.put('versions', { key: 'a\n1', id: 'a', at: null, why: null } as never)
    db.close()
    expect((await library.list()).map((w) => [w.id, w.name, w.at === 0])).toEqual([
      ['a', 'Mine', false],
      ['b', 'Damaged', true],
    ])
    expect((await library.versions('a')).map((v) => [v.why.kind, typeof v.size])).toEqual([
      ['opened', 'number'],
      ['edited', 'number'],
    ])
  })

  it('opens a database of a later version of the page, and does not write to it', async () => {
    await library.save({ id: 'a', draft: draft('1'), base: null, stamp: 't:1' })
    expect(await library.isNewer()).toBe(false)
    await library.close()
    ;(await openDB('fusescope', 99)).close()
    expect([await library.isNewer(), await textOf('a')]).toEqual([true, '1'])
    await expect(library.save({ id: 'a', draft: draft('2'), base: 't:1', stamp: 't:2' })).rejects.toThrow(
      'later version',
    )
    expect(await textOf('a')).toBe('1')
    await library.close()
  })

  it('refuses a database that lacks its tables, and leaves it as it is', async () => {
    ;(await openDB('fusescope', 1)).close()
    await expect(library.list()).rejects.toThrow()
    await expect(library.save({ id: 'a', draft: draft('1'), base: null, stamp: 't:1' })).rejects.toThrow()
    const names = (await openDatabase()).objectStoreNames
    expect([...names]).toEqual([])
    await library.close()
  })

  it('refuses one of a later version whose tables are others, says so, and leaves it as it is', async () => {
    const later = await openDB('fusescope', 99, { upgrade: (db) => void db.createObjectStore('work') })
    await later.put('work', 'theirs', 'a')
    later.close()
    expect(await library.isNewer()).toBe(true)
    await expect(library.list()).rejects.toThrow()
    await expect(library.save({ id: 'a', draft: draft('1'), base: null, stamp: 't:1' })).rejects.toThrow(
      'later version',
    )
    await library.close()
    const db = await openDB('fusescope')
    expect([[...db.objectStoreNames], await db.get('work', 'a')]).toEqual([['work'], 'theirs'])
    db.close()
  })

  it('fails where the browser denies storage, and works again later', async () => {
    const { indexedDB } = globalThis
    Object.assign(globalThis, {
      indexedDB: {
        open() {
          throw new DOMException('denied', 'SecurityError')
        },
      },
    })
    await expect(library.list()).rejects.toThrow('denied')
    Object.assign(globalThis, { indexedDB })
    expect(await library.list()).toEqual([])
  })
})

describe('versions', () => {
  it('are dropped oldest first beyond the limits, but never the newest or a named one', () => {
    const rows = Array.from({ length: MAX_VERSIONS + 3 }, (_, i): VersionInfo => {
      const why = i === MAX_VERSIONS + 2 ? { kind: 'named' as const, name: 'v' } : { kind: 'edited' as const }
      return { key: `a\n${i}`, id: 'a', at: -i, size: 1, why }
    })
    expect(spareVersions(rows).map((v) => v.at)).toEqual([-MAX_VERSIONS, -MAX_VERSIONS - 1])
    expect(spareVersions([{ ...rows[0]!, size: 1e9 }, rows[1]!])).toEqual([rows[1]])
  })
})

describe('local storage', () => {
  it('holds the journal of a tab until it is written', () => {
    const store = memory({ 'fusescope:journal:bad': '{', other: '1' })
    const saves = [{ id: 'a', draft: draft('1'), base: null, stamp: 't:1' }]
    expect(writeJournal(store, { tab: 't', saves })).toBe(true)
    expect(readJournals(store)).toEqual([{ tab: 't', saves }])
    store.setItem('fusescope:journal:u', JSON.stringify({ v: 1, saves: [null, { id: 'x' }, saves[0]] }))
    expect(readJournals(store)).toEqual([
      { tab: 't', saves },
      { tab: 'u', saves, damaged: [null, { id: 'x' }] },
    ])
    writeJournal(store, { tab: 'u', saves: [], damaged: [null] })
    expect(store.getItem('fusescope:journal:u')).toBe('{"v":1,"saves":[null]}')
    writeJournal(store, { tab: 't', saves: [] })
    expect(readJournals(store)).toEqual([])
    expect(writeJournal(null, { tab: 't', saves })).toBe(false)
  })

  it('gives its drafts to the library once; damaged ones stay, and no workspace is overwritten', async () => {
    const stored = (text: string, more = {}): string => JSON.stringify({ v: 1, workspace: workspace(text), ...more })
    const store = memory({
      'fusescope:draft:own:a': stored('1'),
      'fusescope:draft:link:b': stored('2'),
      'fusescope:draft:link:c': stored('3', { foreign: { allowed: 'h' } }),
      'fusescope:draft:taken': stored('4'),
      'fusescope:draft:bad': '{"v":9}',
    })
    await library.save({ id: 'taken', draft: draft('newer'), base: null, stamp: 't:1' })
    const moved = await migrateDrafts(store, library, () => 'own:new')
    expect(moved).toEqual(['own:a', 'link:b', 'link:c', 'own:new'])
    expect([await textOf('own:a'), await textOf('taken'), await textOf('own:new')]).toEqual(['1', 'newer', '4'])
    expect(await library.load('link:b')).toMatchObject({ value: { foreign: { allowed: null } } })
    expect(await library.load('link:c')).toMatchObject({ value: { foreign: { allowed: 'h' } } })
    expect([store.length, store.key(0)]).toEqual([1, 'fusescope:draft:bad'])
    expect(await migrateDrafts(store, library, () => 'own:x')).toEqual([])
  })
})
