/** A term of the glossary in a text: hovering explains it, a click opens its example. */
import type { ReactNode } from 'react'
import { Tooltip } from '../../ui/Tooltip'
import { cx } from '../../ui/css'
import { GLOSSARY, type TermId } from '../../../engine/lessons/glossary'
import { openLessonStep } from './open_lesson'
import { useLessons } from './store'
import styles from './Term.module.css'

/**
 * @param quiet in a panel: the term is not a tab stop, because panels have many terms
 * @param className of the text that the term replaces
 */
export function Term({
  id,
  quiet = false,
  className,
  children,
}: {
  id: TermId
  quiet?: boolean
  className?: string | undefined
  children?: ReactNode
}) {
  const { term, text, lesson, step } = GLOSSARY[id]
  // The open step is the example itself.
  const here = useLessons((s) => s.lesson?.id === lesson && s.lesson.file.steps[s.step]?.id === step)
  return (
    <Tooltip text={here ? text : `${text} Click for an example.`}>
      <button
        className={cx(styles.term, className)}
        tabIndex={quiet ? -1 : undefined}
        data-term={id}
        onClick={(e) => {
          e.stopPropagation()
          if (!here) void openLessonStep(lesson, step)
        }}
      >
        {children ?? term}
      </button>
    </Tooltip>
  )
}
