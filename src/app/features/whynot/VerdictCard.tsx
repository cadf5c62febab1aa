/** Near misses that one cause explains: the cause, both sides, what repairs it, and all else that stands in the way. */
import { useEffect, useRef, useState } from 'react'
import type { Cause, Report } from '../../../engine/protocol'
import { markOf } from '../../session/report_index'
import { count } from '../../../base/english'
import { bindingsText } from '../../session/verdict'
import { alignedText, causesOf, timesText, type PassMiss, type Verdict } from './why_not'
import { placesOf } from './why_not_places'
import { workspaceOf } from './explained'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { PatternBadge } from '../../ui/PatternBadge'
import { Icon } from '../../ui/icons'
import { NodeLink } from '../../ui/NodeLink'
import { CauseSentence, Sides } from './CauseView'
import { FixCard } from './FixCard'
import { StepThrough } from './StepThrough'
import './misses.css'
import './whynot.css'

/** More badges, and more places, than this are a number. */
const BADGES = 8
const PLACES = 4

const selectionOf = ({ pass, miss }: PassMiss, place?: string) =>
  ({ kind: 'nearMiss', pass: pass.name, index: miss.index, ...(place === undefined ? {} : { place }) }) as const

interface Props {
  report: Report
  verdict: Verdict
  /** Whether it is unfolded while no near miss is selected. */
  first?: boolean
}

export function VerdictCard({ report, verdict, first = false }: Props) {
  const selection = useView((s) => s.selection)
  const from = useView((s) => s.from)
  const chosen =
    selection?.kind === 'nearMiss'
      ? verdict.misses.find((m) => m.pass.name === selection.pass && m.miss.index === selection.index)
      : undefined
  const shown = chosen ?? verdict.lead
  const open = chosen !== undefined || (first && selection?.kind !== 'nearMiss')
  const { miss, entry, pass } = shown
  const [cause, ...further] = causesOf(miss)
  const { select, setHover } = useView.getState()
  const ref = useRef<HTMLElement>(null)
  const isChosen = chosen !== undefined
  useEffect(() => {
    if (isChosen && from !== 'panel') ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen, from])
  const fixes = cause!.fixes ?? []
  const title = entry?.title ?? `pattern ${miss.entry}`
  return (
    <article
      ref={ref}
      className={`verdict-card ${isChosen ? 'selected' : ''}`}
      data-testid="near-miss"
      aria-label={`${title}: ${cause!.sentence}`}
      onMouseEnter={() => setHover(selectionOf(shown))}
      onMouseLeave={() => setHover(null)}
    >
      <button
        className="verdict-head"
        aria-expanded={open}
        aria-pressed={isChosen}
        title={isChosen ? 'Fold' : 'Show it on the graph'}
        onClick={() => select(isChosen ? null : selectionOf(shown))}
      >
        <span className={`twisty ${open ? 'open' : ''}`}>
          <Icon name="chevron" size={12} />
        </span>
        <Badges report={report} misses={verdict.misses} />
        <span className="verdict-title ellipsis">{title}</span>
        <Aligned of={shown} />
      </button>
      <div className="verdict-body">
        <CauseSentence report={report} cause={cause!} strong />
        <p className="verdict-times muted">
          {timesText(report, miss)}
          {!open && further.length > 0 && `, ${further.length} more in the way`}
          {!open && fixes.length > 0 && (
            <>
              {' · '}
              <span className="fix-hint">{count(fixes.length, 'fix', 'fixes')}</span>
            </>
          )}
        </p>
        {open && (
          <>
            <Sides report={report} entry={entry} cause={cause!} />
            <Fixes report={report} causes={[cause!]} />
            <Further report={report} of={shown} causes={further} />
            {verdict.misses.length > 1 && <Variants report={report} verdict={verdict} shown={shown} />}
            <Places report={report} of={shown} />
            <footer className="verdict-foot">
              <StepThrough pass={pass.name} entry={miss.entry} node={miss.anchors[0] ?? null} />
              {miss.reason && (
                <details>
                  <summary>PyTorch’s words</summary>
                  <p className="mono wrap">{miss.reason}</p>
                </details>
              )}
            </footer>
          </>
        )}
      </div>
    </article>
  )
}

/** What repairs these causes; while nothing is known yet, that it is being looked for. */
export function Fixes({ report, causes }: { report: Report; causes: readonly Cause[] }) {
  const fixing = useRun((s) => s.fixing)
  const cut = useRun((s) => s.fixesCut)
  const fixes = causes.flatMap((c) => c.fixes ?? [])
  if (fixes.length === 0) {
    if (fixing) return <p className="fixing muted">Trying repairs…</p>
    return cut ? <p className="fixing muted">Not every repair was tried: the time for it ran out.</p> : null
  }
  return (
    <>
      {fixes.map((fix, i) => (
        <FixCard key={`${i}:${fix.title}`} fix={fix} madeFrom={workspaceOf(report)} />
      ))}
    </>
  )
}

function Badges({ report, misses }: { report: Report; misses: readonly PassMiss[] }) {
  const shown = misses.slice(0, misses.length > BADGES ? 3 : misses.length > 3 ? 3 : BADGES)
  return (
    <span className="badges">
      {shown.map((m) => (
        <PatternBadge key={`${m.pass.name}:${m.miss.index}`} mark={markOf(report, m.pass.name, m.miss.entry)} hollow />
      ))}
      {misses.length > shown.length && <span className="muted">+{misses.length - shown.length}</span>}
    </span>
  )
}

/** `aligned 7 of 9`, with a bar of it. */
export function Aligned({ of: { miss } }: { of: PassMiss }) {
  const text = alignedText(miss)
  if (!text) return null
  return (
    <span className="aligned num" title="How many of the pattern’s nodes align with the graph at its nearest place">
      <span className="aligned-bar" aria-hidden="true">
        <span style={{ width: `${Math.min(100, (100 * miss.score!) / miss.of!)}%` }} />
      </span>
      {text}
    </span>
  )
}

/** Repairing the first cause alone would not do. */
export function Further({ report, of, causes }: { report: Report; of: PassMiss; causes: readonly Cause[] }) {
  if (causes.length === 0) return null
  return (
    <details className="further" data-testid="further-causes">
      <summary>{causes.length === 1 ? 'One more cause' : `${causes.length} more causes`} in the way</summary>
      <ol>
        {causes.map((cause, i) => (
          <li key={i}>
            <CauseSentence report={report} cause={cause} />
            <Sides report={report} entry={of.entry} cause={cause} />
            {(cause.fixes ?? []).map((fix, k) => (
              <FixCard key={k} fix={fix} madeFrom={workspaceOf(report)} />
            ))}
          </li>
        ))}
      </ol>
    </details>
  )
}

/** The patterns that share the cause; each can be chosen for its own places. */
function Variants({ report, verdict, shown }: { report: Report; verdict: Verdict; shown: PassMiss }) {
  return (
    <details className="variants-fold" open={shown !== verdict.lead}>
      <summary>{count(verdict.misses.length, 'pattern')} share this cause</summary>
      <ul className="variants">
        {verdict.misses.map((m) => {
          const more = causesOf(m.miss).length - 1
          return (
            <li key={`${m.pass.name}:${m.miss.index}`}>
              <button
                className={`row ${m === shown ? 'selected' : ''}`}
                aria-pressed={m === shown}
                onClick={() => useView.getState().select(selectionOf(m))}
              >
                <PatternBadge mark={markOf(report, m.pass.name, m.miss.entry)} hollow />
                <span className="entry-bindings wrap">
                  {m.entry && (bindingsText(m.entry, m.pass.entries) || m.entry.title)}
                </span>
                <span className="num muted">{more === 0 ? 'nearest' : `+${more}`}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </details>
  )
}

function Places({ report, of }: { report: Report; of: PassMiss }) {
  const places = placesOf(report, of.miss)
  const [all, setAll] = useState(false)
  const shown = all ? places : places.slice(0, PLACES)
  const selection = useView((s) => s.selection)
  const at = selection?.kind === 'nearMiss' ? selection.place : undefined
  return (
    <p className="verdict-places muted">
      {'At '}
      {shown.map(({ anchor }, i) => (
        <span key={anchor}>
          {i > 0 && ', '}
          {places.length === 1 ? (
            <NodeLink name={anchor} />
          ) : (
            <button
              className="link mono"
              aria-pressed={at === anchor}
              onClick={() => useView.getState().select(selectionOf(of, anchor))}
            >
              {anchor}
            </button>
          )}
        </span>
      ))}
      {places.length > shown.length && (
        <>
          {' and '}
          <button className="link" onClick={() => setAll(true)}>
            {places.length - shown.length} more
          </button>
        </>
      )}
    </p>
  )
}
