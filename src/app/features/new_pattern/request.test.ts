// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { FOREIGN, markOwnText } from '../../../workspace/code_origin'
import type { Workspace } from '../../../workspace/types'
import * as runner from '../../session/runner'
import { startSessions } from '../../session/session'
import { EMPTY_WORKSPACE, useWorkspace } from '../../session/workspace_store'
import { requestPattern } from './request'

it('lets the files of the user name the operators that a pattern calls, and those of a link or a recording name none', async () => {
  startSessions([])
  const pattern = vi.fn((_workspace: Workspace) => Promise.resolve({ made: null, choices: [], refused: '' }))
  vi.spyOn(runner, 'engine').mockResolvedValue({ pattern } as never)
  const workspace = { ...EMPTY_WORKSPACE, files: [{ name: 'a.py', text: '# image, write_file' }] }
  for (const foreign of [null, FOREIGN, { allowed: 'any' }]) {
    useWorkspace.getState().load(workspace, 'link:x', { foreign })
    await requestPattern()
  }
  expect(pattern.mock.calls.map(([w]) => w.files)).toEqual([workspace.files, [], []])
  pattern.mockClear()
  // A dropped recording brings its graph and its files; those that the page's own process recorded are its user's.
  const capture = { name: 'c.fusescope', text: '', run: 0, key: '' }
  for (const own of [false, true]) {
    if (own) workspace.files.forEach(markOwnText)
    useWorkspace.getState().load({ ...workspace, capture }, 'own:x', { foreign: null })
    await requestPattern()
  }
  expect(pattern.mock.calls.map(([w]) => w.files)).toEqual([[], workspace.files])
})
