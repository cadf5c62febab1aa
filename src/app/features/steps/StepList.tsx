/** The timeline as a virtualized list: renders only the visible rows. The focus stays on the list. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Report } from '../../../engine/protocol'
import type { Step } from '../../../engine/session/steps_types'
import {
  breakpointName,
  breakpointOf,
  hits,
  rowCount,
  stepAtRow,
  toneOf,
  type Level,
  type IndexedTimeline,
} from './timeline'
import { markOf, passNamed } from '../../session/report_index'
import { PatternBadge } from '../../ui/PatternBadge'
import { useSteps } from './store'
import styles from './StepList.module.css'
import css from '../../ui/text.module.css'

/** Height of a row in CSS pixels; .steps-row has the same. */
const ROW = 24
/** Number of rendered rows beyond the view, on either side. */
const SPARE = 8
/** Number of rows kept in view around the current one. */
const CONTEXT = 2

interface Props {
  indexed: IndexedTimeline
  level: Level
  row: number
  report: Report | null
}

export function StepList({ indexed, level, row, report }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(400)
  const total = rowCount(indexed, level)
  const first = Math.max(0, Math.floor(top / ROW) - SPARE)
  const last = Math.min(total, Math.ceil((top + height) / ROW) + SPARE)

  useLayoutEffect(() => {
    const el = list.current!
    const observer = new ResizeObserver(() => setHeight(el.clientHeight))
    observer.observe(el)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    const el = list.current!
    const low = (row - CONTEXT) * ROW
    const high = (row + 1 + CONTEXT) * ROW
    if (low < el.scrollTop) el.scrollTop = Math.max(0, low)
    else if (high > el.scrollTop + el.clientHeight) el.scrollTop = high - el.clientHeight
  }, [row, total, height])

  return (
    <div
      ref={list}
      className={styles.list}
      data-steps-list
      data-level={level}
      role="listbox"
      tabIndex={0}
      aria-label="Steps"
      aria-activedescendant={row >= first && row < last ? `step-row-${row}` : undefined}
      data-testid="steps-list"
      onScroll={(e) => setTop(e.currentTarget.scrollTop)}
    >
      <div style={{ height: total * ROW }} role="presentation">
        {Array.from({ length: last - first }, (_, k) => {
          const r = first + k
          const step = indexed.steps[stepAtRow(indexed, level, r)]!
          return <Row key={r} row={r} total={total} step={step} indexed={indexed} current={r === row} report={report} />
        })}
      </div>
    </div>
  )
}

interface RowProps {
  row: number
  total: number
  step: Step
  indexed: IndexedTimeline
  current: boolean
  report: Report | null
}

function Row({ row, total, step, indexed, current, report }: RowProps) {
  const breakpoints = useSteps((s) => s.breakpoints)
  const { pass } = indexed.timeline
  const stops = hits(breakpoints, step, pass)
  const tone = toneOf(indexed, step)
  const own = breakpointOf(step, passNamed(report, pass))
  return (
    <div
      id={`step-row-${row}`}
      className={styles.row}
      data-current={current || undefined}
      data-level={step.level}
      data-tone={tone}
      style={{ top: row * ROW }}
      role="option"
      aria-selected={current}
      aria-posinset={row + 1}
      aria-setsize={total}
      data-testid={current ? 'step-current' : undefined}
      title={step.text}
      onClick={() => useSteps.getState().goTo(step.index)}
    >
      <span
        className={styles.gutter}
        data-stops={stops || undefined}
        title={own ? `${stops ? 'Clear the' : 'Set a'} breakpoint on ${breakpointName(own)}` : undefined}
        onClick={(e) => {
          if (!own) return
          e.stopPropagation()
          useSteps.getState().toggle(own)
        }}
      />
      <span className={styles.indent} style={{ width: Math.min(step.depth, 14) * 11 }} />
      <span className={styles.sign} aria-hidden="true">
        {SIGN[tone] ?? KIND_SIGN[step.kind] ?? '·'}
      </span>
      {step.kind === 'entry' && step.entry !== null && report && (
        <PatternBadge mark={markOf(report, pass, step.entry)} hollow />
      )}
      <span className={css.ellipsis}>{step.text}</span>
    </div>
  )
}

const SIGN: Record<string, string> = { ok: '✓', bad: '✗', passing: '✗' }
const KIND_SIGN: Partial<Record<Step['kind'], string>> = {
  candidate: '▸',
  entry: '▸',
  attempt: '▸',
  expression: '›',
  retrace: '⟳',
  revert: '↶',
  insert: '+',
  erase: '−',
}
