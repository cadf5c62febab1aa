/** Full-text search: a field, and a list of sections below it. */
import { useId, useMemo, useState, type KeyboardEvent } from 'react'
import { hashOf } from './address'
import { PAGES } from './pages'
import { entriesOf, search, type SearchResult } from './search'
import styles from './Search.module.css'
import { css, cx } from '../ui/css'

export function Search() {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const [open, setOpen] = useState(false)
  const id = useId()
  const entries = useMemo(() => entriesOf(PAGES), [])
  const results = useMemo(() => search(entries, query), [entries, query])
  const shown = open && query.trim() !== ''
  const go = (index: number): void => {
    const result = results[index]
    if (!result) return
    location.hash = hashOf(result.place)
    setOpen(false)
  }
  const onKeyDown = (e: KeyboardEvent): void => {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      e.preventDefault()
      setOpen(true)
      setAt((i) => (i + (e.key === 'ArrowDown' ? 1 : results.length - 1)) % Math.max(1, results.length))
    } else if (e.key === 'Enter') go(at)
    else if (e.key === 'Escape') setOpen(false)
  }
  return (
    <div
      className={styles.search}
      onBlur={(e) => {
        if (!e.currentTarget.contains(e.relatedTarget)) setOpen(false)
      }}
    >
      <input
        type="search"
        role="combobox"
        placeholder="Search the documentation"
        aria-label="Search the documentation"
        aria-expanded={shown}
        aria-controls={id}
        aria-activedescendant={shown && results.length > 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(e) => {
          setQuery(e.target.value)
          setAt(0)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      <Results id={id} results={results} at={at} shown={shown} onChoose={go} />
    </div>
  )
}

function Results({
  id,
  results,
  at,
  shown,
  onChoose,
}: {
  id: string
  results: readonly SearchResult[]
  at: number
  shown: boolean
  onChoose(index: number): void
}) {
  if (shown && results.length === 0)
    return (
      <p className={cx(styles.none, css.pad)} role="status">
        No section has all these words.
      </p>
    )
  return (
    <ul id={id} role="listbox" aria-label="Sections found" className={styles.results} hidden={!shown}>
      {results.map(({ place, title, heading, excerpt }, i) => (
        <li
          key={hashOf(place)}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === at}
          onPointerDown={(e) => e.preventDefault()}
          onClick={() => onChoose(i)}
        >
          <strong>{heading === '' ? title : `${title}: ${heading}`}</strong>
          <span>{excerpt}</span>
        </li>
      ))}
    </ul>
  )
}
