import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import { filesDiff } from '../../../engine/table/files_diff'
import type { Draft } from '../../../workspace/library'
import { EMPTY_WORKSPACE } from '../../session/workspace_store'
import {
  keepFolder,
  keepVersionOf,
  keptFolders,
  patternLibrary,
  refreshFolders,
  runnableFolders,
  tableRuns,
  useFolders,
} from './storage'

const draft = (text: string, foreign: Draft['foreign'] = null): Draft => ({
  workspace: { ...EMPTY_WORKSPACE, graph: { name: 'g.txt', text: 'a graph' }, files: [{ name: 'a.py', text }] },
  foreign,
})
const infoOf = (id: string) => useFolders.getState().list!.find((f) => f.id === id)!

beforeEach(async () => {
  for (const { id } of await patternLibrary.list()) await patternLibrary.remove(id, 'test:1')
  await refreshFolders()
})

describe('pattern folders', () => {
  it('keep the code without the graph, and each earlier state as a version', async () => {
    const id = await keepFolder(draft('1\n'), 'mine')
    expect(await keepVersionOf(infoOf(id), draft('2\n'))).toBe(true)
    const kept = await patternLibrary.load(id)
    const now = kept.ok ? kept.value!.workspace : null
    expect([now!.name, now!.graph.text, now!.files[0]!.text]).toEqual(['mine', '', '2\n'])
    const [version] = await patternLibrary.versions(id)
    const before = await patternLibrary.version(version!.key)
    expect(before.ok && filesDiff(before.value!.workspace.files, now!.files)).toContain('-1\n+2\n')
  })

  it('become a copy where another tab has changed them', async () => {
    const id = await keepFolder(draft('1'), 'mine')
    const stale = infoOf(id)
    await patternLibrary.save({ id, draft: draft('other tab'), base: stale.stamp, stamp: 'other:1' })
    expect(await keepVersionOf(stale, draft('2'))).toBe(false)
    expect(keptFolders(useFolders.getState()).map((f) => f.name)).toContain('mine (copy)')
  })

  it('run beside the gallery only if they are the user’s own', async () => {
    await keepFolder(draft('1'), 'mine')
    await keepFolder(draft('2', { allowed: null }), 'of a link')
    expect((await runnableFolders()).map((f) => f.workspace.name)).toEqual(['mine'])
  })
})

describe('runs of the table', () => {
  it('are kept by version, and the graphs of several runs of one version are joined', async () => {
    await tableRuns.keep({ folder: 'f', code: 'a', at: 1, counts: { g: 1 } })
    await tableRuns.keep({ folder: 'f', code: 'a', at: 2, counts: { h: 2 } })
    await tableRuns.keep({ folder: 'f', code: 'b', at: 3, counts: { g: 3 } })
    expect((await tableRuns.of('f')).map((r) => [r.code, r.counts])).toEqual([
      ['b', { g: 3 }],
      ['a', { g: 1, h: 2 }],
    ])
  })
})
