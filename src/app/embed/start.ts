/** Opens the workspace that the address names, then listens to the framing page. */
import { FEATURES } from '../features'
import { askedLesson } from '../features/lessons/open_lesson'
import { askedExample, isLink } from '../session/address'
import { consentPart } from '../session/consent'
import { runnerPart } from '../session/runner'
import { startSessions } from '../session/session'
import { isLessonFragment } from '../../workspace/library/lesson_link'
import { startMessages } from './messages'
import { openLink, openNamedExample, openNamedLesson } from './open'

export function startEmbed(): void {
  startSessions([consentPart, runnerPart, ...FEATURES.flatMap((f) => f.sessionPart ?? [])])
  void openNamed().finally(startMessages)
  addEventListener('hashchange', () => void openNamed())
}

async function openNamed(): Promise<void> {
  const id = askedExample()
  const lesson = askedLesson()
  if (isLink(location.hash) || isLessonFragment(location.hash)) await openLink(location.hash)
  else if (id !== null) await openNamedExample(id)
  else if (lesson) await openNamedLesson(lesson.id, lesson.step)
}
