// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { lessonFragment } from '../../../../workspace/library/lesson_link'
import { deleteOwnLessons, ownLessons, putOwnLesson } from '../../../../workspace/library/own_lessons'
import * as framed from '../../../session/framed'
import * as runner from '../../../session/runner'
import { startSessions } from '../../../session/session'
import { useWorkspace } from '../../../session/workspace_store'
import { embedCode, openLesson } from '../open_lesson'
import { useLessons } from '../store'
import { openLessonFragment } from './open_files'

const FILES = new Map([
  [
    'lesson.json',
    JSON.stringify({
      order: 1,
      summary: 's',
      minutes: 1,
      workspaces: { main: { graph: 'graph.txt', files: ['p.py'] } },
      steps: [{ id: 'one' }, { id: 'two' }],
    }),
  ],
  ['lesson.md', '# Sent\n\n## One\n\nText.\n\n## Two\n\nText.\n'],
  ['graph.txt', 'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return (x,)\n'],
  ['p.py', 'x = 1\n'],
])

beforeEach(() => {
  vi.spyOn(runner, 'run').mockResolvedValue()
  vi.spyOn(framed, 'isEmbed').mockReturnValue(true)
})
afterEach(async () => {
  vi.restoreAllMocks()
  startSessions([])
  await deleteOwnLessons()
})

it('a frame shows a lesson of its address at a step, and stores nothing', async () => {
  expect(await openLessonFragment(await lessonFragment(FILES), 1)).toBe(true)
  expect(useLessons.getState()).toMatchObject({ step: 1, lesson: { own: { title: 'Sent' } } })
  expect(useWorkspace.getState().foreign).not.toBeNull()
  expect(await ownLessons()).toEqual([])
})

it('a frame shows no lesson that the visitor keeps', async () => {
  await putOwnLesson({ id: 'own-kept', title: 'Kept', at: 1, files: FILES, received: false })
  expect(await openLesson('own-kept', 0)).toBe(false)
})

it('the HTML of a frame has the lesson after the step', () => {
  expect(embedCode('#lesson=abc', 1, 'a "b"')).toMatch(
    /^<iframe src="[^"]*\/embed\.html\?step=2#lesson=abc" width="900" height="560" title="a &quot;b&quot;"><\/iframe>$/,
  )
})
