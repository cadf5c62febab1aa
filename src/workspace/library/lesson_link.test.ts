import { expect, it } from 'vitest'
import { isLessonFragment, lessonFragment, readLessonFragment } from './lesson_link'

const files = new Map([
  ['lesson.json', '{"steps": [{"id": "one"}]}'],
  ['lesson.md', '# Ünï\n\n## One\n'],
])

it('holds the files of a lesson, and a damaged one holds none', async () => {
  const hash = await lessonFragment(files)
  expect(isLessonFragment(hash)).toBe(true)
  expect(await readLessonFragment(hash)).toEqual(files)
  expect(await readLessonFragment(hash.slice(0, -9))).toBeNull()
  expect(await readLessonFragment('#lesson=e30')).toBeNull()
})
