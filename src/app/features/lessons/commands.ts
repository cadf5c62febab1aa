/** Commands of the lessons: the list, and the steps of the open lesson. */
import { inGroup } from '../../commands/types'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { lessonOf } from '../../session/kept_ids'
import { editClass, useClass } from './class/store'
import { goToStep } from './open_lesson'
import { startRecording } from './recorder/store'
import { useLessons } from './store'

const isOpen = (): boolean => lessonOf(useWorkspace.getState().origin) !== null && useLessons.getState().lesson !== null

function openGlossary(of: 'all' | 'screen'): void {
  useLessons.setState({ glossaryOf: of })
  useView.getState().setOverlay('glossary')
}

export const LESSON_COMMANDS = inGroup('Lessons', [
  {
    id: 'lessons',
    title: 'Learn the pattern matcher: all lessons',
    run: () => useView.getState().setOverlay('lessons'),
  },
  { id: 'glossary', title: 'Glossary of the pattern matcher', run: () => openGlossary('all') },
  {
    id: 'glossary-screen',
    title: 'Explain the terms on this screen',
    keys: ['Shift+T'],
    run: () => openGlossary('screen'),
  },
  {
    id: 'class',
    title: 'Show the class page',
    enabled: () => useClass.getState().opened !== null,
    run: () => {
      useClass.setState({ editing: false })
      useView.getState().setOverlay('class')
    },
  },
  { id: 'class-edit', title: 'Make a class page of lessons and links', run: editClass },
  { id: 'record-lesson', title: 'Record a lesson: make steps from the present workspace', run: startRecording },
  {
    id: 'lesson-next',
    title: 'Next step of the lesson',
    enabled: () => isOpen() && useLessons.getState().step < useLessons.getState().lesson!.file.steps.length - 1,
    run: () => void goToStep(useLessons.getState().step + 1),
  },
  {
    id: 'lesson-back',
    title: 'Previous step of the lesson',
    enabled: () => isOpen() && useLessons.getState().step > 0,
    run: () => void goToStep(useLessons.getState().step - 1),
  },
  {
    id: 'lesson-panel',
    title: 'Show or hide the lesson',
    enabled: isOpen,
    run: () => useLessons.setState((s) => ({ hidden: !s.hidden })),
  },
])
