import { useEffect, useMemo, useRef, type RefObject } from 'react'
import { searchNodes } from './search'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { Input } from '../../ui/Field'
import { cx } from '../../ui/cx'
import { Button } from '../../ui/Button'
import styles from './SearchBox.module.css'
import css from '../../ui/text.module.css'

/** Maximum number of listed results; Enter steps through all of them. */
const LISTED = 12

/** Finds a node by name or target on the visible canvas. */
export function SearchBox() {
  const { open, query, at } = useView((s) => s.search)
  const mode = useView((s) => s.mode)
  const side = mode === 'after' ? 'after' : 'before'
  const graph = useRun((s) => (side === 'after' ? (s.report?.after ?? null) : (s.graph ?? s.report?.graph ?? null)))
  const results = useMemo(() => (open ? searchNodes(graph, query) : []), [open, graph, query])
  const input = useRef<HTMLInputElement>(null)
  const { setSearch, select } = useView.getState()

  useFocusWhileOpen(open, input)
  if (!open) return null

  const go = (i: number): void => {
    const node = results[i]
    if (!node) return
    setSearch({ at: i })
    select({ kind: 'node', side, name: node.name })
  }
  return (
    <div className={styles.search} role="search">
      <div className={styles.row}>
        <Input
          ref={input}
          data-testid="search-input"
          mono
          aria-label="Find a node by name or target"
          placeholder="Node name or target"
          role="combobox"
          aria-expanded={results.length > 0}
          aria-controls="search-results"
          value={query}
          onChange={(e) => setSearch({ query: e.target.value, at: -1 })}
          onKeyDown={(e) => {
            const n = results.length
            if (e.key === 'Escape') setSearch({ open: false })
            else if (n > 0 && (e.key === 'ArrowDown' || (e.key === 'Enter' && !e.shiftKey))) go((at + 1) % n)
            else if (n > 0 && (e.key === 'ArrowUp' || e.key === 'Enter')) go((at - 1 + n) % n)
            else return
            e.preventDefault()
          }}
        />
        <span className={cx(css.muted, css.num)} role="status">
          {statusText(query, results.length, at)}
        </span>
        <Button variant="quiet" aria-label="Close the search" onClick={() => setSearch({ open: false })}>
          ×
        </Button>
      </div>
      {results.length > 0 && <Results results={results} at={at} go={go} />}
    </div>
  )
}

/** Selects the query when the search opens; when it closes, the keyboard focus returns to its previous element. */
function useFocusWhileOpen(open: boolean, input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    if (!open) return
    const before = document.activeElement
    const own = input.current
    own?.select()
    return () => {
      // The focus returns to its previous element, or else to the graph.
      if (document.activeElement !== own && document.activeElement !== document.body) return
      if (before instanceof HTMLElement && before !== document.body) before.focus()
      else document.querySelector<HTMLElement>('[data-canvas]')?.focus()
    }
  }, [open, input])
}

function statusText(query: string, found: number, at: number): string {
  if (query.trim() === '') return ''
  if (found === 0) return 'none'
  return at < 0 ? `${found} found` : `${at + 1} of ${found}`
}

interface ResultsProps {
  results: ReturnType<typeof searchNodes>
  /** Index of the chosen result; -1 if none is chosen yet. */
  at: number
  go(index: number): void
}

/** The results around the chosen one. */
function Results({ results, at, go }: ResultsProps) {
  const first = Math.max(0, Math.min(at - 4, results.length - LISTED))
  return (
    <ul id="search-results" role="listbox" aria-label="Nodes found">
      {results.slice(first, first + LISTED).map((n, k) => (
        <li key={n.name} role="option" aria-selected={first + k === at} onClick={() => go(first + k)}>
          <span className={cx(css.mono, css.ellipsis)}>{n.name}</span>
          <span className={cx(css.muted, css.mono, css.ellipsis)}>{n.inner ?? n.target}</span>
          <span className={cx(css.muted, css.mono, css.num)}>{n.dtype ? `${n.dtype}${n.shape ?? ''}` : ''}</span>
        </li>
      ))}
    </ul>
  )
}
