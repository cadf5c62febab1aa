/** Places in files as a list: a press opens one, the arrow keys move the focus. */
import type { KeyboardEvent } from 'react'
import { RowButton } from '../../ui/Row'
import { Breakable } from '../../ui/Breakable'
import { css, cx } from '../../ui/css'
import { Icon } from '../../ui/icons'
import { revealPlace } from '../editor/reveal_place'
import styles from './PlaceList.module.css'

export interface Place {
  file: string
  /** From 1. */
  line: number
  column: number
  text: string
  tone?: 'bad' | 'warn'
}

/** @param onOpen called after a press opened a place @param mono the texts are code */
export function PlaceList({
  label,
  places,
  mono = false,
  onOpen,
}: {
  label: string
  places: readonly Place[]
  mono?: boolean
  onOpen?(): void
}) {
  return (
    <ul className={styles.places} data-code={mono || undefined} aria-label={label} onKeyDown={moveFocus}>
      {places.map((p, i) => (
        <li key={i}>
          <RowButton
            className={styles.place}
            data-tone={p.tone}
            onClick={() => {
              onOpen?.()
              void revealPlace(p.file, p.line, p.column)
            }}
          >
            <span className={cx(css.mono, styles.source)}>
              <Breakable text={`${p.file}:${p.line}`} />
            </span>
            <span className={cx(mono && css.mono, css.wrap, css.narrow)}>
              {p.tone && <Icon name="warn" size={12} />} {p.text}
            </span>
          </RowButton>
        </li>
      ))}
    </ul>
  )
}

function moveFocus(e: KeyboardEvent<HTMLUListElement>): void {
  const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0
  const rows = [...e.currentTarget.querySelectorAll('button')]
  const at = rows.findIndex((r) => r === document.activeElement)
  if (step === 0 || at < 0) return
  e.preventDefault()
  rows[at + step]?.focus()
}
