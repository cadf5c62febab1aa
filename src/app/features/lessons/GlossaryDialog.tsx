/** The glossary as a list: every term with its explanation and an example to open. */
import { useState } from 'react'
import { closeOverlay } from '../../session/view_store'
import { LinkButton } from '../../ui/Button'
import { Dialog, DialogTop } from '../../ui/Dialog'
import { Input } from '../../ui/Field'
import { EmptyState } from '../../ui/Messages'
import { GLOSSARY, type GlossaryTerm } from '../../../engine/lessons/glossary'
import { openLessonStep } from './open_lesson'
import { useLessons } from './store'
import styles from './LessonsDialog.module.css'
import { css, cx } from '../../ui/css'

const TERMS: readonly (readonly [string, GlossaryTerm])[] = Object.entries(GLOSSARY).sort(([, a], [, b]) =>
  a.term.localeCompare(b.term),
)

const termsOnScreen = (): Set<string> =>
  new Set([...document.querySelectorAll<HTMLElement>('[data-term]')].map((e) => e.dataset.term!))

export function GlossaryDialog() {
  // Terms in the texts behind the dialog.
  const [onScreen] = useState(termsOnScreen)
  const [narrow, setNarrow] = useState(() => useLessons.getState().glossaryOf === 'screen')
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const found = TERMS.filter(([id]) => !narrow || onScreen.has(id)).filter(([, t]) =>
    `${t.term} ${t.text}`.toLowerCase().includes(wanted),
  )
  return (
    <Dialog label="Glossary" flush tall width={760}>
      <DialogTop>
        <h2>Glossary</h2>
        <Input type="search" aria-label="Search the glossary" placeholder="Search" value={query} onValue={setQuery} />
        {(onScreen.size > 0 || narrow) && (
          <label className={cx(css.row, css.gap2, css.fixed)}>
            <input type="checkbox" checked={narrow} onChange={(e) => setNarrow(e.target.checked)} /> on this screen
          </label>
        )}
      </DialogTop>
      {found.length === 0 && (
        <EmptyState>
          {narrow && wanted === '' ? 'No term of the glossary is on this screen.' : 'No term contains this text.'}{' '}
          {narrow && <LinkButton onClick={() => setNarrow(false)}>Show all terms</LinkButton>}
        </EmptyState>
      )}
      <dl className={styles.terms} tabIndex={0} aria-label="Terms">
        {found.map(([id, term]) => (
          <TermRow key={id} {...term} />
        ))}
      </dl>
    </Dialog>
  )
}

function TermRow({ term, text, lesson, step }: GlossaryTerm) {
  return (
    <div>
      <dt className={css.strong}>{term}</dt>
      <dd>
        {text}{' '}
        <LinkButton
          aria-label={`Example of ${term}`}
          onClick={() => {
            closeOverlay()
            void openLessonStep(lesson, step)
          }}
        >
          Example
        </LinkButton>
      </dd>
    </div>
  )
}
