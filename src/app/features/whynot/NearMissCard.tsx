/** Near misses with one common cause: the cause, both sides, its fixes, and the further causes. */
import { useEffect, useRef, useState } from 'react'
import type { Fix, Report } from '../../../engine/protocol'
import { markOf, positions } from '../../../engine/queries/report_index'
import { count } from '../../../base/english'
import { bindingsText } from '../../../engine/queries/report_text'
import { NodeVerdictLine } from '../../report/views/NodeVerdicts'
import { openShapes } from '../shapes/shapes'
import {
  alignedText,
  isUnshaped,
  placesText,
  timesText,
  type PassMiss,
  type NearMissGroup,
} from '../../../engine/queries/why_not'
import { placesOf } from '../../../engine/queries/why_not_places'
import { layerOf } from '../../fold/layer_of'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { PatternBadge } from '../../ui/PatternBadge'
import { NodeLink } from '../../ui/NodeLink'
import { CauseSentence, Sides } from './CauseView'
import { FixCards, TriedFixes } from './FixCard'
import { Further } from './FurtherCauses'
import { StepThrough } from './StepThrough'
import { showInPanel } from '../../ui/scroll'
import { css, cx } from '../../ui/css'
import { Button, LinkButton } from '../../ui/Button'
import styles from './NearMissCard.module.css'
import { Chevron, RowButton } from '../../ui/Row'

/** Maximum numbers of badges and places; the rest are counted. */
const BADGES = 3
const PLACES = 4

const selectionOf = ({ pass, miss }: PassMiss, place?: string) =>
  ({ kind: 'nearMiss', pass: pass.name, index: miss.index, ...(place === undefined ? {} : { place }) }) as const

interface Props {
  report: Report
  group: NearMissGroup
  /** The card is unfolded while no near miss is selected. */
  first?: boolean
}

export function NearMissCard({ report, group, first = false }: Props) {
  const selection = useView((s) => s.selection)
  const from = useView((s) => s.from)
  const chosen =
    selection?.kind === 'nearMiss'
      ? group.misses.find((m) => m.pass.name === selection.pass && m.miss.index === selection.index)
      : undefined
  const shown = chosen ?? group.lead
  const open = chosen !== undefined || (first && selection?.kind !== 'nearMiss')
  const { miss, entry } = shown
  const [cause, ...further] = miss.causes
  const { select, setHover } = useView.getState()
  const ref = useRef<HTMLElement>(null)
  const isChosen = chosen !== undefined
  useEffect(() => {
    if (isChosen && from !== 'panel') showInPanel(ref.current)
  }, [isChosen, from])
  const fixes = cause!.fixes ?? []
  const title = entry?.title ?? `pattern ${miss.entry}`
  return (
    <article
      ref={ref}
      className={styles.card}
      data-selected={isChosen || undefined}
      data-testid="near-miss"
      aria-label={`${title}: ${cause!.sentence}`}
      onMouseEnter={() => setHover(selectionOf(shown))}
      onMouseLeave={() => setHover(null)}
    >
      <button
        className={styles.head}
        aria-expanded={open}
        aria-pressed={isChosen}
        title={isChosen ? 'Fold' : 'Show on the graph'}
        onClick={() => select(isChosen ? null : selectionOf(shown))}
      >
        <Chevron open={open} className={styles.chevron} />
        <Badges report={report} misses={group.misses} />
        <span className={cx(styles.title, css.grow, css.muted, css.ellipsis)}>{title}</span>
        <Aligned of={shown} />
      </button>
      <div className={styles.body}>
        <CauseSentence report={report} cause={cause!} strong />
        <p className={cx(css.small, css.breaks, css.muted)}>
          {isUnshaped(miss) ? placesText(report, miss) : timesText(report, miss)}
          {!open && further.length > 0 && `, ${count(further.length, 'more cause')}`}
          {!open && fixes.length > 0 && (
            <>
              {' · '}
              <span className={styles.hint}>{count(fixes.length, 'fix', 'fixes')}</span>
            </>
          )}
        </p>
        {open && <Details report={report} group={group} shown={shown} />}
      </div>
    </article>
  )
}

/** The unfolded part of a card: both sides, fixes, further causes, places. */
function Details({ report, group, shown }: { report: Report; group: NearMissGroup; shown: PassMiss }) {
  const { miss, entry, pass } = shown
  const [cause, ...further] = miss.causes
  return (
    <>
      {isUnshaped(miss) ? <GiveShapes /> : <Sides report={report} entry={entry} cause={cause!} />}
      <Fixes report={report} causes={[cause!]} />
      <Further report={report} of={shown} causes={further} />
      {group.misses.length > 1 && <Variants report={report} group={group} shown={shown} />}
      <Places report={report} of={shown} />
      {miss.anchors[0] && <NodeVerdictLine report={report} pass={pass} entry={miss.entry} node={miss.anchors[0]} />}
      <footer className={styles.foot}>
        <StepThrough pass={pass.name} entry={miss.entry} node={miss.anchors[0] ?? null} />
        {miss.reason && (
          <details>
            <summary>PyTorch’s words</summary>
            <p className={cx(css.mono, css.wrap)}>{miss.reason}</p>
          </details>
        )}
      </footer>
    </>
  )
}

/** The one step that could decide a place without shapes. */
function GiveShapes() {
  return (
    <p className={styles.give}>
      <Button onClick={openShapes}>Give shapes</Button>
    </p>
  )
}

/** A cause, or a condition of code. */
interface Tried {
  fixes?: readonly Fix[] | undefined
  tried?: readonly Fix[] | undefined
}

/** Fixes for these causes, or the state of the search. */
export function Fixes({ report, causes }: { report: Report; causes: readonly Tried[] }) {
  const search = useRun((s) => s.result.fixes)
  const fixes = causes.flatMap((c) => c.fixes ?? [])
  const refused = causes.flatMap((c) => c.tried ?? [])
  const tried = <TriedFixes fixes={refused} />
  if (fixes.length === 0)
    return (
      <>
        {search === 'running' && <p className={cx(css.small, css.muted)}>Trying fixes…</p>}
        {search === 'cut' && (
          <p className={cx(css.small, css.muted)}>Not every fix was tried: the time limit was reached.</p>
        )}
        {search === 'all' && refused.length === 0 && (
          <p className={cx(css.small, css.muted)}>No change was found that makes it fire.</p>
        )}
        {tried}
      </>
    )
  return (
    <>
      <FixCards report={report} fixes={fixes} />
      {tried}
    </>
  )
}

function Badges({ report, misses }: { report: Report; misses: readonly PassMiss[] }) {
  const patterns = [...new Map(misses.map((m) => [patternKey(m), m])).values()]
  // Others with this cause fail for further reasons too.
  const nearest = patterns.filter((m) => m.miss.causes.length === Math.min(...patterns.map(causeCount)))
  const shown = nearest.slice(0, BADGES)
  return (
    <span className={cx(css.row, css.gap1, css.fixed)}>
      {shown.map((m) => (
        <PatternBadge key={patternKey(m)} mark={markOf(report, m.pass.name, m.miss.entry)} hollow />
      ))}
      {patterns.length > shown.length && <span className={css.muted}>+{patterns.length - shown.length}</span>}
    </span>
  )
}

const patternKey = ({ pass, miss }: PassMiss): string => `${pass.name}:${miss.entry}`
const causeCount = ({ miss }: PassMiss): number => miss.causes.length

/** `aligned 7 of 9`, with a bar. */
export function Aligned({ of: { miss } }: { of: PassMiss }) {
  const text = alignedText(miss)
  if (!text) return null
  return (
    <span className={cx(styles.aligned, css.num)} title="Number of pattern nodes that align at the nearest anchor">
      <span className={styles.alignedBar} aria-hidden="true">
        <span style={{ width: `${Math.min(100, (100 * miss.score!) / miss.of!)}%` }} />
      </span>
      {text}
    </span>
  )
}

/**
 * The patterns that have the cause; each can be chosen to see its own places. A pattern has several rows if its places differ in
 * further causes.
 */
function Variants({ report, group, shown }: { report: Report; group: NearMissGroup; shown: PassMiss }) {
  const { misses } = group
  const patterns = new Set(misses.map(patternKey)).size
  return (
    <details open={shown !== group.lead}>
      <summary>{sharedText(misses, patterns)}</summary>
      <ul className={styles.variants}>
        {misses.map((m) => {
          const more = causeCount(m) - 1
          return (
            <li key={`${m.pass.name}:${m.miss.index}`}>
              <RowButton
                selected={m === shown}
                aria-pressed={m === shown}
                onClick={() => useView.getState().select(selectionOf(m))}
              >
                <PatternBadge mark={markOf(report, m.pass.name, m.miss.entry)} hollow />
                <span className={cx(css.grow, css.tiny, css.wrap)}>
                  {m.entry && (bindingsText(m.entry, m.pass.entries) || m.entry.title)}
                  {patterns < misses.length && ` at ${placeNames(report, m)}`}
                </span>
                <span className={cx(css.num, css.muted)}>
                  {more === 0 ? 'this cause alone' : count(more, 'more cause')}
                </span>
              </RowButton>
            </li>
          )
        })}
      </ul>
    </details>
  )
}

/** `8 patterns have this cause; 7 have further ones.` */
function sharedText(misses: readonly PassMiss[], patterns: number): string {
  if (patterns === 1) return `${count(misses.length, 'group')} of places have this cause`
  const least = Math.min(...misses.map(causeCount))
  const further = new Set(misses.filter((m) => causeCount(m) > least).map(patternKey)).size
  const all = `${count(patterns, 'pattern')} have this cause`
  return further === 0 ? all : `${all}; ${further} of them ${further === 1 ? 'has' : 'have'} further causes`
}

/** `mul_8 and 6 more` */
function placeNames(report: Report, { miss }: PassMiss): string {
  const [first, ...others] = placesOf(report, miss)
  return `${first?.anchor ?? miss.anchors[0]}${others.length === 0 ? '' : ` and ${others.length} more`}`
}

/** ` (layer 17)`; empty outside all repeated parts. */
function withLayer({ graph }: Report, node: string): string {
  const layer = layerOf(graph, positions(graph).get(node))
  return layer && ` (${layer})`
}

function Places({ report, of }: { report: Report; of: PassMiss }) {
  const places = placesOf(report, of.miss)
  const [all, setAll] = useState(false)
  const shown = all ? places : places.slice(0, PLACES)
  const selection = useView((s) => s.selection)
  const at = selection?.kind === 'nearMiss' ? selection.place : undefined
  return (
    <p className={cx(styles.places, css.small, css.breaks, css.muted)}>
      {'At '}
      {shown.map(({ anchor }, i) => (
        <span key={anchor}>
          {i > 0 && ', '}
          {places.length === 1 ? (
            <NodeLink name={anchor} />
          ) : (
            <LinkButton
              mono
              // The button that listed all places no longer exists.
              autoFocus={i === PLACES}
              aria-pressed={at === anchor}
              onClick={() => useView.getState().select(selectionOf(of, anchor))}
            >
              {anchor}
            </LinkButton>
          )}
          {withLayer(report, anchor)}
        </span>
      ))}
      {places.length > shown.length && (
        <>
          {' and '}
          <LinkButton onClick={() => setAll(true)}>{places.length - shown.length} more</LinkButton>
        </>
      )}
    </p>
  )
}
