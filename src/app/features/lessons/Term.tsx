/** A term of the glossary in a text: hovering explains it, a click opens its example. */
import type { ReactNode } from 'react'
import { Tooltip } from '../../ui/Tooltip'
import { cx } from '../../ui/cx'
import { GLOSSARY, type TermId } from './glossary'
import { openLessonStep } from './open_lesson'
import styles from './Term.module.css'

/**
 * @param quiet in a panel: not a stop of the Tab key, because panels have many of them
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
  return (
    <Tooltip text={`${text} Click for an example.`}>
      <button
        className={cx(styles.term, className)}
        tabIndex={quiet ? -1 : undefined}
        data-term={id}
        onClick={(e) => {
          e.stopPropagation()
          void openLessonStep(lesson, step)
        }}
      >
        {children ?? term}
      </button>
    </Tooltip>
  )
}
