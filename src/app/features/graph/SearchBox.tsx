/** The field of Find, with the results of its query. */
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type Ref, type RefObject } from 'react'
import { thousands } from '../../../base/english'
import type { NodeView } from '../../../engine/protocol'
import { useView } from '../../session/view_store'
import { Input } from '../../ui/Field'
import { css, cx } from '../../ui/css'
import { Button } from '../../ui/Button'
import { completions, type Completion } from '../../on_screen/find/complete'
import { useFindContext, useResults } from '../../on_screen/find/useFound'
import { selectOnScreen, useSidesOnScreen } from '../../on_screen/sides'
import { uncover } from '../../on_screen/look/actions'
import { ResultTools } from './ResultTools'
import { Offers, optionId, Results, WhyNone } from './SearchResults'
import styles from './SearchBox.module.css'

/** Maximum number of listed results; Enter steps through all of them. */
const LISTED = 12
/** The number while the user looks at the graph. */
const LISTED_BESIDE_GRAPH = 3
const NONE: readonly NodeView[] = []

/**
 * Finds the nodes of the visible canvas that satisfy a query, and steps through them. The list covers the graph while the user
 * types; afterwards it is short and stays above the graph, so that the chosen node and the bar of the drawn part are visible.
 */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null)
  const { open, query, at, context, found, results, offers, go, setQuery, side, counts } = useQuery()
  const [typing, setTyping] = useState(false)
  const { setSearch } = useView.getState()

  useFocusWhileOpen(open, input)
  if (!open) return null

  const change = (text: string): void => {
    setTyping(true)
    setQuery(text)
  }
  const choose = (i: number): void => {
    setTyping(false)
    go(i)
  }
  const complete = (offer: Completion): void => {
    change(offer.query)
    input.current?.focus()
  }
  return (
    <div
      className={styles.search}
      role="search"
      onBlur={(e) => !e.currentTarget.contains(e.relatedTarget) && setTyping(false)}
    >
      <div className={styles.row}>
        <QueryField
          ref={input}
          {...{ query, results, at }}
          invalid={found?.ok === false}
          offer={typing ? offers[0] : undefined}
          change={change}
          complete={complete}
          choose={choose}
        />
        <span className={cx(css.muted, css.num)} role="status">
          {found?.ok ? statusText(results.length, at) : ''}
        </span>
        {found?.ok && <ResultTools {...{ counts, side, results }} onDone={() => setTyping(false)} />}
        <Button variant="quiet" aria-label="Close the search" onClick={() => setSearch({ open: false })}>
          ×
        </Button>
      </div>
      {/* A press on the list keeps the focus in the field, and so the list does not change. */}
      <div className={typing ? styles.over : styles.beside} onMouseDown={(e) => e.preventDefault()}>
        {found?.ok === false && (
          <p role="alert" className={cx(styles.message, css.bad)}>
            {found.error}
          </p>
        )}
        {typing && offers.length > 0 && <Offers offers={offers} complete={complete} />}
        {found?.ok && results.length === 0 && context && <WhyNone context={context} query={query} />}
        {results.length > 0 && context && (
          <Results {...{ context, results, at }} go={choose} most={typing ? LISTED : LISTED_BESIDE_GRAPH} />
        )}
      </div>
    </div>
  )
}

interface QueryFieldProps {
  ref: Ref<HTMLInputElement>
  query: string
  results: readonly NodeView[]
  at: number
  invalid: boolean
  /** What Tab completes. */
  offer: Completion | undefined
  change(query: string): void
  complete(offer: Completion): void
  choose(result: number): void
}

function QueryField({ ref, query, results, at, invalid, offer, change, complete, choose }: QueryFieldProps) {
  return (
    <Input
      ref={ref}
      data-testid="search-input"
      mono
      aria-label="Find nodes"
      placeholder="mm  op:mm dtype:bf16 shape:[*,256] users>1"
      role="combobox"
      aria-expanded={results.length > 0}
      aria-controls="search-results"
      aria-activedescendant={at >= 0 && at < results.length ? optionId(at) : undefined}
      aria-invalid={invalid}
      value={query}
      onValue={change}
      onKeyDown={(e) => {
        if (e.key === 'Escape') useView.getState().setSearch({ open: false })
        else if (e.key === 'Tab' && !e.shiftKey && offer) complete(offer)
        else if (results.length > 0 && stepOf(e) !== 0) choose(stepped(at, stepOf(e), results.length))
        else return
        e.preventDefault()
      }}
    />
  )
}

/** The query of the visible canvas, its results and its completions. */
function useQuery() {
  const { open, query, at } = useView((s) => s.search)
  const sides = useSidesOnScreen()
  const bySide = { before: useResults('before'), after: useResults('after') }
  const contexts = { before: useFindContext('before'), after: useFindContext('after') }
  const chosen = useView((s) => s.search.side)
  const side = sides.includes(chosen!) ? chosen! : (sides.find((s) => countOf(bySide[s]) > 0) ?? sides[0]!)
  const [context, found] = [contexts[side], bySide[side]]
  const results = found?.ok ? found.value : NONE
  const offers = useMemo(() => (open && context ? completions(context, query) : []), [open, context, query])
  const { setSearch } = useView.getState()
  const go = (i: number): void => {
    const node = results[i]
    if (!node || !context) return
    setSearch({ at: i })
    uncover(context.graph, node.name)
    selectOnScreen(side, node.name)
  }
  const setQuery = (text: string): void => setSearch({ query: text, at: -1 })
  const counts = sides.map((s) => ({ side: s, found: countOf(bySide[s]) }))
  return { open, query, at, context, found, results, offers, go, setQuery, side, counts }
}

const countOf = (found: ReturnType<typeof useResults>): number => (found?.ok ? found.value.length : 0)

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
  return at < 0 ? `${thousands(found)} found` : `${thousands(at + 1)} of ${thousands(found)}`
}
