/** Opens a link, an example or a lesson, and keeps the address that shows it in full. */
import { loadExampleList, openExample, useExamples } from '../examples/examples'
import { isOwnLesson } from '../features/lessons/own/own_lessons'
import { openLessonFragment } from '../features/lessons/own/open_files'
import { askedStep, openLesson } from '../features/lessons/open_lesson'
import { openSnapshotText } from '../features/share/share'
import { isLessonFragment } from '../../workspace/library/lesson_link'
import { exampleSuffix, useOpened } from './address'

/** @param text a fragment, or a whole address with one @returns false if it is not a valid link */
export async function openLink(text: string): Promise<boolean> {
  const at = text.indexOf('#')
  const suffix = at < 0 ? '' : text.slice(at)
  if (suffix === '') return false
  const opens = isLessonFragment(suffix) ? openLessonFragment(suffix, askedStep() ?? 0) : openSnapshotText(suffix)
  if (!(await opens)) return false
  useOpened.setState({ suffix })
  return true
}

/** @returns false if the site has no such example */
export async function openNamedExample(id: string): Promise<boolean> {
  await loadExampleList()
  if (!useExamples.getState().list.some((e) => e.id === id)) return false
  await openExample(id, { fresh: true })
  useOpened.setState({ suffix: exampleSuffix(id) })
  return true
}

/** @param step from 0; null: the first @returns false if the site has no such lesson */
export async function openNamedLesson(id: string, step: number | null): Promise<boolean> {
  // A frame never shows the visitor's stored work.
  return !isOwnLesson(id) && (await openLesson(id, step ?? 0))
}
