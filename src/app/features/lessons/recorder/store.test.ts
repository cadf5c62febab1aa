import { afterEach, expect, it, vi } from 'vitest'
import { FOREIGN } from '../../../../workspace/code_origin'
import { EMPTY_WORKSPACE, useWorkspace } from '../../../session/workspace_store'
import { addStep, recordAgain, startRecording, stopRecording, useRecorder } from './store'

vi.mock('../../../commands/surfaces', () => ({ activeEditor: () => null, cameraPlaces: () => [] }))
vi.mock('../own/own_lessons', async (original) => ({
  ...(await original<object>()),
  keepLesson: () => Promise.resolve(),
}))

// The lesson is written after a moment, with code that is fetched then.
afterEach(stopRecording)

const show = (text: string, foreign: typeof FOREIGN | null): void =>
  useWorkspace.setState({ workspace: { ...EMPTY_WORKSPACE, files: [{ name: 'p.py', text }] }, foreign })

it.each([
  ['added', addStep],
  ['recorded again', () => recordAgain(0)],
])('a step of a link that is %s makes the whole lesson ask', (_, record) => {
  show('mine = 1', null)
  startRecording()
  expect(useRecorder.getState().received).toBe(false)
  show('theirs = 1', FOREIGN)
  record()
  show('mine = 2', null)
  addStep()
  expect(useRecorder.getState().received).toBe(true)
  expect(JSON.stringify(useRecorder.getState().draft!.workspaces)).toContain('theirs')
  startRecording()
  expect(useRecorder.getState().received).toBe(false)
})
