// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fnv1a } from '../../../../base/hash'
import { deleteOwnLessons, ownLessons, putOwnLesson } from '../../../../workspace/library/own_lessons'
import * as runner from '../../../session/runner'
import { startSessions } from '../../../session/session'
import { useWorkspace } from '../../../session/workspace_store'
import { playLessonFiles } from './open_files'

const lesson = (pad: string): Map<string, string> =>
  new Map([
    [
      'lesson.json',
      JSON.stringify({
        order: 1,
        summary: 's',
        minutes: 1,
        workspaces: { main: { graph: 'graph.txt', files: ['p.py'] } },
        steps: [{ id: 'one' }],
      }),
    ],
    ['lesson.md', `# ${pad}\n\n## One\n\nText.\n`],
    ['graph.txt', 'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return (x,)\n'],
    ['p.py', 'x = 1\n'],
  ])
const earlierId = (files: Map<string, string>): string => `own-${fnv1a(JSON.stringify([...files])).toString(36)}`
const stored = async () => (await ownLessons()).map((l) => [l.id, l.title] as const)

beforeEach(() => void vi.spyOn(runner, 'run').mockResolvedValue())
afterEach(async () => {
  startSessions([])
  await deleteOwnLessons()
})

it('a lesson that was sent never takes the place of a stored one, whatever its 32-bit hash', async () => {
  const files = lesson('Sent')
  const mine = lesson('Mine')
  // A stored lesson of an earlier version under the hash that the sent one has.
  await putOwnLesson({ id: earlierId(files), title: 'Mine', at: 1, files: mine, received: false })
  await playLessonFiles(files, 'lesson.zip')
  expect(new Map((await stored()).map(([id, title]) => [title, id]))).toEqual(
    new Map([
      ['Mine', earlierId(files)],
      ['Sent', expect.stringMatching(/^own-[0-9a-f]{64}$/)],
    ]),
  )
  expect(useWorkspace.getState().origin).toMatch(/^lesson:own-[0-9a-f]{64}\/main$/)
  await playLessonFiles(files, 'lesson.zip')
  expect(await stored()).toHaveLength(2)
})

it('the same files are the lesson that an earlier version kept, with its progress', async () => {
  const files = lesson('Kept')
  await putOwnLesson({ id: earlierId(files), title: 'Kept', at: 1, files, received: true })
  await playLessonFiles(files, 'lesson.zip')
  expect(await stored()).toEqual([[earlierId(files), 'Kept']])
})

it('keeps the files that the lesson names, and no others of whoever sent it', async () => {
  const files = lesson('Sent')
  const more = ['../../.bashrc', '/etc/x', '.vscode/tasks.json', '..\\x.py', 'conftest.py']
  await playLessonFiles(new Map([...more.map((path) => [path, 'x'] as const), ...files]), 'lesson.zip')
  expect((await ownLessons()).map((l) => [...l.files.keys()])).toEqual([[...files.keys()]])
})
