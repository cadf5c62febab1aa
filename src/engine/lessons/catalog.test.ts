import { expect, it } from 'vitest'
import { nextLesson, type LessonInfo } from './catalog'

const lesson = (id: string, more: Partial<LessonInfo> = {}): LessonInfo => ({
  id,
  title: id,
  summary: '',
  minutes: 5,
  steps: [],
  ...more,
})

it('goes on with the core from a lesson of the core, and never from a lesson to an article', () => {
  const article = lesson('e', { kind: 'article' })
  const list = [lesson('a', { core: true }), lesson('b'), lesson('c', { core: true }), lesson('d'), article]
  expect(['a', 'b', 'c', 'd', 'e', 'gone'].map((id) => nextLesson(list, id)?.id)).toEqual([
    ...['c', 'c', 'd'],
    ...[undefined, undefined, undefined],
  ])
})
