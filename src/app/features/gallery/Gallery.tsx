/** The gallery: all examples by system, with descriptions and guides. */
import { useState, type KeyboardEvent, useEffect } from 'react'
import { runById } from '../../commands/registry'
import { exampleNow, openExample, useExamples, useGuide } from '../../examples/examples'
import { figuresText, galleryOf, systemPage, type ExampleInfo } from '../../examples/catalog'
import { Dialog, DialogTop } from '../../ui/Dialog'
import { closeOverlay } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { Sketches } from './SketchView'
import { openReported, reportedWith, useReported, loadReported } from './reported'
import { Input } from '../../ui/Field'
import { LinkButton } from '../../ui/Button'
import { css, cx } from '../../ui/css'
import { EmptyState } from '../../ui/Messages'
import styles from './Gallery.module.css'

const STEP: Record<string, [number, number] | undefined> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Moves from the focused card to the nearest one in the direction of the key. */
function arrowTo(e: KeyboardEvent<HTMLElement>): void {
  const step = STEP[e.key]
  if (!step || !(e.target instanceof HTMLElement) || !e.target.matches('[data-card-open]')) return
  e.preventDefault()
  const cards = [...e.currentTarget.querySelectorAll<HTMLElement>('[data-card-open]')]
  const center = (card: HTMLElement): [number, number] => {
    const box = (card.closest('li') ?? card).getBoundingClientRect()
    return [box.x + box.width / 2, box.y + box.height / 2]
  }
  const [x, y] = center(e.target)
  const [along, across] = step[0] ? [0, 1] : [1, 0]
  let best: { card: HTMLElement; far: number } | null = null
  for (const card of cards) {
    const [cx, cy] = center(card)
    const off = [cx - x, cy - y]
    const ahead = off[along]! * (step[along] as number)
    // Prefer the next row to a straight line: a sideways distance costs less than a distance in the key's direction.
    if (ahead > 8) {
      const far = ahead * 1000 + Math.abs(off[across]!)
      if (!best || far < best.far) best = { card, far }
    }
  }
  best?.card.focus()
}

/** Moves from the search field down to the cards. */
function focusFirstCard(e: KeyboardEvent<HTMLElement>): void {
  e.preventDefault()
  e.currentTarget.closest('[role="dialog"]')?.querySelector<HTMLElement>('[data-card-open]')?.focus()
}

/** Opens an example unless it is already open. @param guide the page to show beside it */
function open(id: string, guide?: string): void {
  closeOverlay()
  if (exampleNow()?.id !== id) void openExample(id, { guide })
  else if (guide) useGuide.setState({ page: guide })
}

export function Gallery() {
  const { list, problem } = useExamples()
  const [query, setQuery] = useState('')
  const groups = galleryOf(list, query)
  const reported = reportedWith(
    useReported((s) => s.list),
    query,
  )
  const first = groups[0]?.examples[0]
  return (
    <Dialog label="Examples" flush tall width={1080} className={styles.gallery}>
      <DialogTop>
        <h2>Examples</h2>
        <Input
          type="search"
          aria-label="Search the examples"
          placeholder="Operator, symptom"
          value={query}
          onValue={setQuery}
          onKeyDown={(e) => {
            if (e.key === 'Enter' && first) open(first.id)
            else if (e.key === 'Enter' && reported[0]) openReported(reported[0])
            else if (e.key === 'ArrowDown') focusFirstCard(e)
          }}
        />
      </DialogTop>
      <div className={styles.groups} onKeyDown={arrowTo}>
        {groups.map(({ system, examples }) => (
          <SystemSection key={system} system={system} examples={examples} />
        ))}
        {(problem !== null || (groups.length === 0 && reported.length === 0)) && (
          <EmptyState align="center" role="status">
            {problem ?? (list.length ? `No example matches “${query.trim()}”.` : 'Loading the examples…')}
          </EmptyState>
        )}
        <Reported query={query} />
      </div>
      <p className={cx(styles.foot, css.muted)}>
        Your changes to an example are saved in this browser and restored when you open it again. Your own folders of
        passes are in <LinkButton onClick={() => runById('my-patterns')}>My patterns</LinkButton>.
      </p>
    </Dialog>
  )
}

/** The examples of one system. */
function SystemSection({ system, examples }: { system: ExampleInfo['system']; examples: readonly ExampleInfo[] }) {
  return (
    <section aria-labelledby={`gallery-${systemPage(system)}`}>
      <div className={styles.system}>
        <h3 id={`gallery-${systemPage(system)}`}>{system}</h3>
        <LinkButton
          aria-label={`About ${system}`}
          onClick={() => open((examples.find((e) => e.id === exampleNow()?.id) ?? examples[0]!).id, systemPage(system))}
        >
          About
        </LinkButton>
      </div>
      <ul className={styles.cards}>
        {examples.map((e) => (
          <Card key={e.id} example={e} />
        ))}
      </ul>
    </section>
  )
}

function Card({ example }: { example: ExampleInfo }) {
  const isOpen = useWorkspace((s) => s.origin === example.id)
  return (
    <li className={styles.card} data-open={isOpen} data-testid={`example-${example.id}`}>
      <button
        className={styles.cardOpen}
        data-card-open
        onClick={() => open(example.id)}
        {...(isOpen && { 'aria-current': true })}
      >
        {example.title}
        {isOpen && <span className={css.muted}> (open)</span>}
      </button>
      {example.sketch && <Sketches {...example.sketch} />}
      <p>{example.description}</p>
      <div className={styles.cardFoot}>
        <span className={css.muted}>{figuresText(example.shows)}</span>
        <LinkButton
          className={styles.cardGuide}
          aria-label={`What to look at in ${example.title}`}
          onClick={() => open(example.id, example.page)}
        >
          What to look at
        </LinkButton>
      </div>
    </li>
  )
}

/** The reported failures in the gallery, found by the words of their symptoms. */
function Reported({ query }: { query: string }) {
  const list = useReported((s) => s.list)
  useEffect(() => void loadReported(), [])
  const found = reportedWith(list, query)
  if (found.length === 0) return null
  return (
    <section aria-labelledby="gallery-reported">
      <div className={styles.system}>
        <h3 id="gallery-reported">Reported failures</h3>
      </div>
      <ul className={styles.cards}>
        {found.map((failure) => (
          <li key={failure.id} className={styles.card} data-testid={`reported-${failure.id}`}>
            <button className={styles.cardOpen} data-card-open onClick={() => openReported(failure)}>
              {failure.symptom}
            </button>
            <p>{failure.truth}</p>
            <div className={styles.cardFoot}>
              <span className={css.muted}>{failure.thread}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
