// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Workspace } from '../../../workspace/types'
import { useExamples } from '../../examples/examples'
import * as runner from '../../session/runner'
import { library, saveNow, saveSoon } from '../../session/saver'
import { draftNow } from '../../session/autosave'
import { startSessions } from '../../session/session'
import { useView } from '../../session/view_store'
import { EMPTY_WORKSPACE, useWorkspace } from '../../session/workspace_store'
import { resetExample } from './feature'

const PUBLISHED: Workspace = { ...EMPTY_WORKSPACE, name: 'Published' }
const EDITED: Workspace = { ...EMPTY_WORKSPACE, name: 'Edited' }
const INFO = { id: 'relu', title: 'ReLU', workspace: 'relu.json', report: 'relu_report.json', page: null }

const open = () => useWorkspace.getState().workspace.name
const toasts = () => useView.getState().toasts.map((t) => t.text)
const kept = async () =>
  (await library.list()).filter((w) => w.id === 'relu' && w.deletedAt === undefined).map((w) => w.name)

beforeEach(async () => {
  vi.spyOn(runner, 'run').mockResolvedValue()
  useExamples.setState({ list: [INFO as never] })
  startSessions([])
  useWorkspace.getState().load(EDITED, 'relu', {})
  saveSoon('relu', draftNow())
  await saveNow()
})
afterEach(() => {
  vi.unstubAllGlobals()
  useView.setState({ toasts: [] })
})

it('resets the example to its published version, and says so', async () => {
  vi.stubGlobal('fetch', async (url: URL) =>
    String(url).endsWith('relu.json') ? Response.json(PUBLISHED) : new Response('', { status: 404 }),
  )
  await resetExample()
  expect([open(), await kept(), toasts()]).toEqual([
    'Published',
    [],
    ['The example is reset to its published version.'],
  ])
})

it('keeps the edits of an example that could not be loaded, and says why', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 503 }))
  await resetExample()
  expect([open(), await kept(), toasts()]).toEqual([
    'Edited',
    ['Edited'],
    ['ReLU could not be opened: examples/relu.json answered 503'],
  ])
})
