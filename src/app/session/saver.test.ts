// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readJournals } from '../../workspace/library'
import { autosavePart, startSaving, useTabNotice } from './autosave'
import { adoptLeftWork, refreshList, useLibrary } from './library_list'
import { isUnsaved, keptDraft, library, SAVE_AFTER_MS, saveNow, saveSoon, useSaving, writeAhead } from './saver'
import { replaceSession, startSessions } from './session'
import { EMPTY_WORKSPACE, useWorkspace } from './workspace_store'

const type = (text: string): void => useWorkspace.getState().setText('patterns.py', text)
const draft = (text: string) => ({
  workspace: { ...EMPTY_WORKSPACE, files: [{ name: 'patterns.py', text }] },
  foreign: null,
})
const open = (origin: string, text = ''): void =>
  replaceSession(() => useWorkspace.getState().load(draft(text).workspace, origin))
const stored = async (id: string): Promise<string | undefined> => {
  const kept = await library.load(id)
  return kept.ok ? kept.value?.workspace.files[0]!.text : undefined
}
const fails = (error: Error) => vi.spyOn(library, 'save').mockRejectedValue(error)

startSaving()
beforeEach(() => startSessions([autosavePart]))
afterEach(async () => {
  vi.restoreAllMocks()
  await saveNow()
  startSessions([])
  localStorage.clear()
  useTabNotice.setState({ notice: null })
})

describe('saving', () => {
  it('happens during continuous typing, and keeps the text from before the first edit as a version', async () => {
    open('own:typing', 'start')
    const end = Date.now() + 3 * SAVE_AFTER_MS
    let [n, last] = [0, '']
    while (Date.now() < end) {
      type((last = `x${n++}`))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await stored('own:typing')).toMatch(/^x\d+$/)
    await saveNow()
    expect(await stored('own:typing')).toBe(last)
    const versions = await library.versions('own:typing')
    expect(versions.map((v) => v.why.kind)).toEqual(['opened'])
    expect(await library.version(versions[0]!.key)).toMatchObject({ value: draft('start') })
  })

  it('says while it fails, asks before the page closes, keeps the text and tries again', async () => {
    open('own:full')
    const save = fails(new DOMException('full', 'QuotaExceededError'))
    type('kept')
    await saveNow()
    expect([useSaving.getState().problem, isUnsaved('own:full')]).toEqual(['The browser’s storage is full.', true])
    const leave = new Event('beforeunload', { cancelable: true })
    dispatchEvent(leave)
    expect(leave.defaultPrevented).toBe(true)
    // Another workspace and back: the text is still there.
    open('own:other')
    expect(await keptDraft('own:full')).toMatchObject({ value: draft('kept') })
    save.mockRestore()
    await saveNow()
    expect([useSaving.getState().problem, await stored('own:full')]).toEqual([null, 'kept'])
    const again = new Event('beforeunload', { cancelable: true })
    dispatchEvent(again)
    expect(again.defaultPrevented).toBe(false)
  })

  it('makes a copy of edits when another tab has saved the workspace, and goes on with the copy', async () => {
    open('own:two')
    type('first')
    await saveNow()
    const { editorKey } = useWorkspace.getState()
    const kept = await library.load('own:two')
    const base = kept.ok ? kept.value!.stamp : null
    expect(await library.save({ id: 'own:two', draft: draft('theirs'), base, stamp: 'other:1' })).toBe(true)
    type('mine')
    await saveNow()
    await saveNow()
    const { origin, workspace } = useWorkspace.getState()
    expect([origin === 'own:two', workspace.name, workspace.files[0]!.text]).toEqual([false, 'Untitled (copy)', 'mine'])
    expect([await stored('own:two'), await stored(origin)]).toEqual(['theirs', 'mine'])
    expect(useTabNotice.getState().notice).toEqual({ kind: 'copied', name: 'Untitled', copy: 'Untitled (copy)' })
    expect(useWorkspace.getState().editorKey).toBe(editorKey)
  })

  it('writes ahead when the page is hidden, and the next page adopts it', async () => {
    const save = fails(new Error('the page has gone'))
    saveSoon('own:gone', draft('last words'))
    writeAhead()
    const [journal] = readJournals(localStorage)
    expect(journal!.saves[0]).toMatchObject({ id: 'own:gone', draft: draft('last words'), base: null })
    save.mockRestore()
    // As written by a tab that is gone.
    localStorage.setItem(
      'fusescope:journal:gone',
      JSON.stringify({ v: 1, saves: [{ ...journal!.saves[0], stamp: 'gone:1' }] }),
    )
    await adoptLeftWork()
    expect(await stored('own:gone')).toBe('last words')
    expect(readJournals(localStorage).map((j) => j.tab)).not.toContain('gone')
    await refreshList()
    expect(useLibrary.getState().list.map((w) => w.id)).toContain('own:gone')
  })
})
