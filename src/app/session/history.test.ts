// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FOREIGN } from '../../workspace/code_origin'
import { consentOf, consentPart, giveConsent } from './consent'
import { canRedo, canUndo, historyPart, redo, undo } from './history'
import * as runner from './runner'
import { useRun } from './run_store'
import { replaceSession, startSessions } from './session'
import { EMPTY_WORKSPACE, useWorkspace } from './workspace_store'

let made = 0
function open(id: string, workspace = EMPTY_WORKSPACE, foreign: typeof FOREIGN | null = null): void {
  replaceSession(() => {
    useWorkspace.getState().load(workspace, id, { foreign })
    useRun.setState({ consent: consentOf(workspace, foreign) })
  })
}
const store = useWorkspace.getState
const code = (): string => store().workspace.files[0]!.text
const type = (text: string): void => store().setText('patterns.py', text)

beforeEach(() => {
  vi.spyOn(runner, 'run').mockResolvedValue()
  startSessions([consentPart, historyPart])
})
afterEach(() => {
  vi.useRealTimers()
  startSessions([])
})

describe('undo of the workspace', () => {
  it('covers texts, files, graphs, passes and the environment, each as one step', () => {
    const id = `own:${made++}`
    open(id)
    type('a')
    type('ab')
    store().addFile('more.py', 'x')
    store().setGraph({ name: 'g.txt', text: 'graph()' })
    store().setPasses(['p'])
    const { workspace } = store()
    for (let i = 0; i < 4; i++) undo()
    expect([store().workspace, canUndo()]).toEqual([EMPTY_WORKSPACE, false])
    for (let i = 0; i < 4; i++) redo()
    expect([store().workspace, canRedo()]).toEqual([workspace, false])
  })

  it('separates typing by pauses, and drops what was undone at the next edit', () => {
    vi.useFakeTimers()
    open(`own:${made++}`)
    type('a')
    vi.advanceTimersByTime(1500)
    type('ab')
    undo()
    expect([code(), store().openFile]).toEqual(['a', 'patterns.py'])
    type('ac')
    expect(canRedo()).toBe(false)
    undo()
    expect(code()).toBe('a')
  })

  it('follows the editor’s own undo', () => {
    open(`own:${made++}`)
    store().setGraph({ name: 'g.txt', text: 'graph()' })
    type('a')
    type('')
    undo()
    expect(store().workspace).toEqual(EMPTY_WORKSPACE)
  })

  it('goes on after another workspace was open, and back over a replaced text', () => {
    const id = `own:${made++}`
    open(id)
    type('mine')
    const mine = store().workspace
    open('example')
    type('other')
    open(id, mine)
    undo()
    expect(code()).toBe('')
    redo()
    open(id, { ...mine, files: [{ name: 'patterns.py', text: 'an earlier version' }] })
    undo()
    expect(code()).toBe('mine')
  })

  it('asks again for code of a link that was never allowed', () => {
    vi.useFakeTimers()
    const id = `link:${made++}`
    const sent = { ...EMPTY_WORKSPACE, files: [{ name: 'patterns.py', text: 'evil()' }] }
    open(id, sent, FOREIGN)
    type('good()')
    vi.advanceTimersByTime(1100)
    giveConsent()
    const { workspace, foreign } = store()
    open('example')
    open(id, workspace, foreign!)
    expect(useRun.getState().consent).toBe('given')
    undo()
    expect([code(), useRun.getState().consent]).toEqual(['evil()', 'pending'])
    redo()
    expect([code(), useRun.getState().consent]).toEqual(['good()', 'given'])
  })
})
