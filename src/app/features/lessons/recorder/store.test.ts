import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FOREIGN } from '../../../../workspace/code_origin'
import { EMPTY_WORKSPACE, useWorkspace } from '../../../session/workspace_store'
import * as surfaces from '../../../commands/surfaces'
import * as downloads from '../../../files/download'
import { readZip } from '../files/zip'
import * as ownLessons from '../own/own_lessons'
import { addStep, recordAgain, saveKept, startRecording, stopRecording, useRecorder } from './store'

beforeEach(() => {
  vi.spyOn(surfaces, 'activeEditor').mockReturnValue(null)
  vi.spyOn(surfaces, 'cameraPlaces').mockReturnValue([])
  vi.spyOn(ownLessons, 'keepLesson').mockResolvedValue()
})

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

it('saves no file of a received lesson that the lesson does not name', async () => {
  const named = new Map([
    [
      'lesson.json',
      '{"order":1,"summary":"","minutes":1,"workspaces":{"a":{"graph":"g.txt","files":[]}},"steps":[{"id":"s"}]}',
    ],
    ['lesson.md', '# T\n\n## One\n\nText.\n'],
    ['g.txt', ''],
  ])
  const files = new Map([...named, ['../../.bashrc', 'x'], ['.vscode/tasks.json', 'x']])
  vi.spyOn(ownLessons, 'filesOfLesson').mockResolvedValue({ id: 'own-1', title: 'T', at: 1, files, received: true })
  const saved = vi.spyOn(downloads, 'download').mockReturnValue()
  await saveKept('own-1')
  const bytes = new Uint8Array(await (saved.mock.calls[0]![1] as Blob).arrayBuffer())
  expect([...(await readZip(bytes)).keys()]).toEqual([...named.keys()].map((path) => `t/${path}`))
})
