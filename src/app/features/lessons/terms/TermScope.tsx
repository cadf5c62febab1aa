/** Marks the terms of the glossary in all messages inside it, and explains them on hover; `Shift+T` lists those on screen. */
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { MarkTerms, type MarkText } from '../../../ui/terms'
import { LinkButton } from '../../../ui/Button'
import { GLOSSARY, isTerm, type TermId } from '../../../../engine/lessons/glossary'
import { openLessonStep } from '../open_lesson'
import { findTerms } from './find_terms'
import styles from './TermScope.module.css'

/**
 * Rows and buttons contain messages, so a marked term cannot be a button: the pointer explains it here, and the keyboard in the
 * glossary that `Shift+T` opens with the terms on screen.
 */
const markMessage: MarkText = (text) =>
  findTerms(text).map((part, i) =>
    typeof part === 'string' ? (
      part
    ) : (
      <span key={i} className={styles.term} data-term={part.term}>
        {part.text}
      </span>
    ),
  )

export function TermScope({ children }: { children: ReactNode }) {
  return (
    <MarkTerms value={markMessage}>
      {children}
      <TermTip />
    </MarkTerms>
  )
}

interface Tip {
  id: TermId
  at: DOMRect
}

/** Delay before the explanation opens, and before it closes after the pointer leaves, in ms. */
const [OPEN_MS, CLOSE_MS] = [400, 250]

/** The explanation of the term under the pointer. */
function TermTip() {
  const [tip, setTip] = useState<Tip | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const later = (next: Tip | null, ms: number): void => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setTip(next), ms)
    }
    const over = (e: PointerEvent): void => {
      const target = e.target instanceof Element ? e.target : null
      if (target && card.current?.contains(target)) return clearTimeout(timer.current)
      const marked = target?.closest<HTMLElement>('span[data-term]')
      const id = marked?.dataset.term
      if (marked && id !== undefined && isTerm(id)) later({ id, at: marked.getBoundingClientRect() }, OPEN_MS)
      else later(null, CLOSE_MS)
    }
    const close = (): void => {
      clearTimeout(timer.current)
      setTip(null)
    }
    const key = (e: KeyboardEvent): void => void (e.key === 'Escape' && close())
    document.addEventListener('pointerover', over)
    document.addEventListener('scroll', close, true)
    document.addEventListener('keydown', key, true)
    return () => {
      clearTimeout(timer.current)
      document.removeEventListener('pointerover', over)
      document.removeEventListener('scroll', close, true)
      document.removeEventListener('keydown', key, true)
    }
  }, [])
  if (!tip) return null
  const { text, lesson, step } = GLOSSARY[tip.id]
  const above = tip.at.bottom > innerHeight - 140
  return (
    <div
      ref={card}
      role="tooltip"
      className={styles.tip}
      data-testid="term-tip"
      style={{
        left: Math.max(8, Math.min(tip.at.left, innerWidth - 328)),
        ...(above ? { bottom: innerHeight - tip.at.top + 4 } : { top: tip.at.bottom + 4 }),
      }}
    >
      {text}{' '}
      <LinkButton
        onClick={() => {
          setTip(null)
          void openLessonStep(lesson, step)
        }}
      >
        Example
      </LinkButton>
    </div>
  )
}
