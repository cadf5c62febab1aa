import { useEffect, useMemo, useRef, type KeyboardEvent, type RefObject } from 'react'
import type { GraphView, NodeView } from '../../../engine/protocol'
import { positions } from '../../session/report_index'
import { useView } from '../../session/view_store'
import { Input } from '../../ui/Field'
import { cx } from '../../ui/cx'
import { Button } from '../../ui/Button'
import { completions, type Completion } from './find/complete'
import { partsOf } from './find/parts'
import { useFindContext, useResults } from './find/useFound'
import { hide, isolate } from '../look/actions'
import { pick, setPicked } from '../new_pattern/picking'
import styles from './SearchBox.module.css'
import css from '../../ui/text.module.css'

/** Maximum number of listed results; Enter steps through all of them. */
const LISTED = 12
const NONE: readonly NodeView[] = []

/** Finds the nodes of the visible canvas that satisfy a query, and steps through them. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null)
  const { open, query, at, context, found, results, offers, go, setQuery } = useQuery()
  const { setSearch } = useView.getState()

  useFocusWhileOpen(open, input)
  if (!open) return null

  const complete = (offer: Completion): void => {
    setQuery(offer.query)
    input.current?.focus()
  }
  return (
    <div className={styles.search} role="search">
      <div className={styles.row}>
        <Input
          ref={input}
          data-testid="search-input"
          mono
          aria-label="Find nodes"
          placeholder="mm  op:mm dtype:bf16 shape:[*,256] users>1"
          role="combobox"
          aria-expanded={results.length > 0}
          aria-controls="search-results"
          aria-invalid={found?.ok === false}
          value={query}
          onChange={(e) => setQuery(e.target.value)}
          onKeyDown={(e) => {
            if (e.key === 'Escape') setSearch({ open: false })
            else if (e.key === 'Tab' && !e.shiftKey && offers.length > 0) complete(offers[0]!)
            else if (results.length > 0 && stepOf(e) !== 0) go(stepped(at, stepOf(e), results.length))
            else return
            e.preventDefault()
          }}
        />
        <span className={cx(css.muted, css.num)} role="status">
          {found?.ok ? statusText(results.length, at) : ''}
        </span>
        <Button variant="quiet" aria-label="Close the search" onClick={() => setSearch({ open: false })}>
          ×
        </Button>
      </div>
      {found?.ok === false && (
        <p role="alert" className={styles.message}>
          {found.error}
        </p>
      )}
      {offers.length > 0 && <Offers offers={offers} complete={complete} />}
      {results.length > 0 && <ResultActions results={results} />}
      {results.length > 0 && context && <Results graph={context.graph} results={results} at={at} go={go} />}
    </div>
  )
}

/** The query of the visible canvas, its results and its completions. */
function useQuery() {
  const { open, query, at } = useView((s) => s.search)
  const side = useView((s) => (s.mode === 'after' ? 'after' : 'before'))
  const context = useFindContext(side)
  const found = useResults(side)
  const results = found?.ok ? found.value : NONE
  const offers = useMemo(() => (open && context ? completions(context, query) : []), [open, context, query])
  const { setSearch, select } = useView.getState()
  const go = (i: number): void => {
    const node = results[i]
    if (!node) return
    setSearch({ at: i })
    select({ kind: 'node', side, name: node.name })
  }
  const setQuery = (text: string): void => setSearch({ query: text, at: -1 })
  return { open, query, at, context, found, results, offers, go, setQuery }
}

/** Enter and the down arrow step forward, Shift+Enter and the up arrow back; 0 for other keys. */
function stepOf({ key, shiftKey }: KeyboardEvent): 1 | 0 | -1 {
  if (key === 'Enter') return shiftKey ? -1 : 1
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
}

/** The next index, around the ends; -1 is before the first. */
const stepped = (at: number, step: number, length: number): number =>
  (Math.max(at, step < 0 ? 0 : -1) + step + length) % length

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

function statusText(found: number, at: number): string {
  if (found === 0) return 'none'
  return at < 0 ? `${found} found` : `${at + 1} of ${found}`
}

/** Completions of the last word; Tab takes the first. */
function Offers({ offers, complete }: { offers: readonly Completion[]; complete(offer: Completion): void }) {
  return (
    <ul className={styles.offers} aria-label="Completions">
      {offers.map((offer, i) => (
        <li key={offer.query} onClick={() => complete(offer)}>
          <span className={cx(css.mono, css.ellipsis)}>{offer.text}</span>
          <span className={cx(css.muted, css.ellipsis)}>{offer.note}</span>
          {i === 0 && <kbd className={css.muted}>Tab</kbd>}
        </li>
      ))}
    </ul>
  )
}

/** What the whole result can be used for. */
function ResultActions({ results }: { results: readonly NodeView[] }) {
  const names = (): string[] => results.map((n) => n.name)
  return (
    <div className={styles.actions} role="group" aria-label="All nodes found">
      <Button variant="quiet" title="Draw only the nodes found" onClick={() => isolate(names(), 0)}>
        Isolate
      </Button>
      <Button variant="quiet" title="Draw edges past the nodes found" onClick={() => hide(names())}>
        Hide
      </Button>
      <Button variant="quiet" title="Pick the calls among the nodes found" onClick={() => selectAll(names())}>
        Select
      </Button>
    </div>
  )
}

function selectAll(names: readonly string[]): void {
  setPicked([])
  useView.getState().select(null)
  pick(names)
}

interface ResultsProps {
  graph: GraphView
  results: readonly NodeView[]
  /** Index of the chosen result; -1 if none is chosen yet. */
  at: number
  go(index: number): void
}

/** The results around the chosen one: name, operator, type, layer, source line. */
function Results({ graph, results, at, go }: ResultsProps) {
  const parts = partsOf(graph)
  const index = positions(graph)
  const first = Math.max(0, Math.min(at - 4, results.length - LISTED))
  return (
    <ul id="search-results" role="listbox" aria-label="Nodes found">
      {results.slice(first, first + LISTED).map((n, k) => (
        <li key={n.name} role="option" aria-selected={first + k === at} onClick={() => go(first + k)}>
          <span className={cx(css.mono, css.ellipsis)}>{n.name}</span>
          <span className={cx(css.muted, css.mono, css.ellipsis)}>
            {(n.inner ?? n.target).replace(/\.default$/, '')}
          </span>
          <span className={cx(css.muted, css.mono, css.num)}>{n.dtype ? `${n.dtype}${n.shape ?? ''}` : ''}</span>
          <span className={cx(css.muted, css.num)}>{parts.get(index.get(n.name) ?? -1)?.[0] ?? ''}</span>
          <span className={cx(css.muted, css.num)} title={n.source ? `${n.source.file}:${n.source.line}` : undefined}>
            {n.source ? `line ${n.source.line}` : ''}
          </span>
        </li>
      ))}
    </ul>
  )
}
