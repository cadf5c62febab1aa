/** The content below Find's field: completions, the results, or the reason for no results. */
import { useMemo } from 'react'
import { thousands } from '../../../base/english'
import type { NodeView } from '../../../engine/protocol'
import { positions } from '../../../engine/queries/report_index'
import { css, cx } from '../../ui/css'
import type { Completion } from '../../on_screen/find/complete'
import { countTerms, type FindContext } from '../../on_screen/find/find'
import { partsOf } from '../../on_screen/find/parts'
import { usePatterns } from '../../on_screen/find/patterns'
import styles from './SearchBox.module.css'

/** The id of a result's row. */
export const optionId = (i: number): string => `found-${i}`

/** For several terms that no node satisfies together: how many nodes each term finds. */
export function WhyNone({ context, query }: { context: FindContext; query: string }) {
  const compile = usePatterns((s) => s.compile)
  const terms = useMemo(() => countTerms(context, query, compile), [context, query, compile])
  if (terms.length < 2) return null
  return (
    <p className={cx(styles.none, css.muted)} data-testid="search-none">
      No node has all:{' '}
      {terms.map(({ term, nodes }, i) => (
        <span key={i} className={css.num}>
          {i > 0 && ', '}
          <span className={css.mono}>{term}</span> {thousands(nodes)}
        </span>
      ))}
    </p>
  )
}

/** Completions of the last word; Tab takes the first. */
export function Offers({ offers, complete }: { offers: readonly Completion[]; complete(offer: Completion): void }) {
  return (
    <ul className={cx(styles.offers, css.ruled)} aria-label="Completions">
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

interface ResultsProps {
  context: FindContext
  results: readonly NodeView[]
  /** Index of the chosen result; -1 if none is chosen yet. */
  at: number
  /** Maximum number of rows. */
  most: number
  go(index: number): void
}

/** The results around the chosen one: name, operator, type, layer, source line. */
export function Results({ context, results, at, most, go }: ResultsProps) {
  const parts = partsOf(context)
  const index = positions(context.graph)
  const oneFile = useMemo(() => new Set(results.flatMap((n) => n.source?.file ?? [])).size < 2, [results])
  const first = Math.max(0, Math.min(at - Math.floor((most - 1) / 2), results.length - most))
  return (
    <ul id="search-results" role="listbox" aria-label="Nodes found">
      {results.slice(first, first + most).map((n, k) => (
        <li
          key={n.name}
          id={optionId(first + k)}
          role="option"
          aria-selected={first + k === at}
          onClick={() => go(first + k)}
        >
          <span className={cx(css.mono, css.ellipsis)}>{n.name}</span>
          <span className={cx(css.muted, css.mono, css.ellipsis, styles.target)}>
            {(n.inner ?? n.target).replace(/\.default$/, '')}
          </span>
          <span className={cx(css.muted, css.mono, css.num)}>{n.dtype ? `${n.dtype}${n.shape ?? ''}` : ''}</span>
          <span className={cx(css.muted, css.num)}>{partText(parts.get(index.get(n.name) ?? -1))}</span>
          <span
            className={cx(css.muted, css.num, css.ellipsis, styles.line)}
            title={n.source ? `${n.source.file}:${n.source.line}` : undefined}
          >
            {n.source ? lineText(n.source, oneFile) : ''}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** `layer 17`; `period 2 › layer 17` in a period of layers; `stack 1 › layer 17` if two stacks have layers. */
const partText = (parts: readonly string[] = []): string =>
  parts.filter((part, i) => i === 0 || parts[i - 1]!.startsWith('stack ') || part.startsWith('layer ')).join(' › ')

/** `line 42`; `act.py:42` if the results are from several files. */
const lineText = ({ file, line }: { file: string; line: number }, oneFile: boolean): string =>
  oneFile ? `line ${line}` : `${file.split('/').at(-1)!}:${line}`
