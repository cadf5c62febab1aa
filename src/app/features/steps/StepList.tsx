/**
 * The rows of the timeline around the current step, in full: lines wrap. The panel scrolls; rows near its ends are added as
 * they come into view. The focus stays on the list.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Report } from '../../../engine/protocol'
import type { Step } from '../../../engine/session/steps_types'
import {
  breakpointName,
  breakpointOf,
  hits,
  rowCount,
  stepAtRow,
  textOf,
  toneOf,
  type Level,
  type IndexedTimeline,
} from '../../on_screen/steps/timeline'
import { markOf, passNamed } from '../../../engine/queries/report_index'
import { Button } from '../../ui/Button'
import { PatternBadge } from '../../ui/PatternBadge'
import { useSteps } from '../../on_screen/steps/store'
import { extended, windowAround, type RowWindow } from './row_window'
import styles from './StepList.module.css'
import { css, cx } from '../../ui/css'

/** Scrolls the Steps panel, its only scroll area, to a row below the header, which stays in view. */
function showBelowHead(row: HTMLElement): void {
  // On a narrow screen the whole page scrolls, so the reader's position is kept.
  if (row.closest('[data-page-scrolls]')) return
  const panel = row.closest<HTMLElement>('[data-steps-scroll]')
  const head = panel?.querySelector<HTMLElement>('[data-steps-head]')
  if (!panel || !head) return
  const sticky = getComputedStyle(head).position === 'sticky'
  const box = panel.getBoundingClientRect()
  const top = box.top + (sticky ? head.offsetHeight : 0) + MARGIN
  const { top: rowTop, bottom } = row.getBoundingClientRect()
  if (rowTop < top) panel.scrollTop += rowTop - top
  else if (bottom > box.bottom - MARGIN) panel.scrollTop += bottom - box.bottom + MARGIN
}

/** Space kept above and below the row, in CSS pixels. */
const MARGIN = 40

interface Props {
  indexed: IndexedTimeline
  level: Level
  row: number
  report: Report | null
}

export function StepList({ indexed, level, row, report }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const total = rowCount(indexed, level)
  const [kept, setKept] = useState<RowWindow | null>(null)
  const rows = kept?.total === total && row >= kept.from && row < kept.to ? kept : windowAround(row, total)
  const { from, to } = rows

  const height = useRef({ from, row, pixels: 0 })
  useLayoutEffect(() => {
    const panel = list.current!.closest<HTMLElement>('[data-steps-scroll]')
    const pixels = list.current!.offsetHeight
    const was = height.current
    // Rows added above must not move the other rows.
    if (panel && was.row === row && from < was.from) panel.scrollTop += pixels - was.pixels
    height.current = { from, row, pixels }
  }, [from, row])

  const wantsFocus = useSteps((s) => s.wantsFocus)
  useEffect(() => {
    if (!wantsFocus) return
    list.current!.focus({ preventScroll: true })
    useSteps.setState({ wantsFocus: false })
  }, [wantsFocus])

  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[data-current]')
    if (current) showBelowHead(current)
  }, [row, total, level])

  return (
    <>
      {from > 0 && <More count={from} text="earlier steps" onReached={() => setKept(extended(rows, -1))} />}
      <div
        ref={list}
        className={styles.list}
        data-steps-list
        data-level={level}
        role="listbox"
        tabIndex={0}
        aria-label="Steps"
        aria-activedescendant={`step-row-${row}`}
        data-testid="steps-list"
      >
        {Array.from({ length: to - from }, (_, k) => {
          const r = from + k
          const step = indexed.steps[stepAtRow(indexed, level, r)]!
          return <Row key={r} {...{ row: r, total, step, indexed, level, report }} current={r === row} />
        })}
      </div>
      {to < total && <More count={total - to} text="more steps" onReached={() => setKept(extended(rows, 1))} />}
    </>
  )
}

/** The end of the rendered rows: adds rows once it is in view. */
function More({ count, text, onReached }: { count: number; text: string; onReached(): void }) {
  const end = useRef<HTMLDivElement>(null)
  const reached = useRef(onReached)
  reached.current = onReached
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && reached.current())
    observer.observe(end.current!)
    return () => observer.disconnect()
  }, [count])
  return (
    <div ref={end} className={styles.more}>
      <Button variant="quiet" tabIndex={-1} onClick={onReached}>
        {count.toLocaleString('en-US')} {text}
      </Button>
    </div>
  )
}

interface RowProps {
  row: number
  total: number
  step: Step
  indexed: IndexedTimeline
  level: Level
  current: boolean
  report: Report | null
}

function Row({ row, total, step, indexed, level, current, report }: RowProps) {
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
      data-kind={step.kind}
      data-level={step.level}
      data-tone={tone}
      role="option"
      aria-selected={current}
      aria-posinset={row + 1}
      aria-setsize={total}
      data-testid={current ? 'step-current' : undefined}
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
      <span className={styles.indent} style={{ width: Math.min(step.depth, 10) * 9 }} />
      <span className={styles.sign} aria-hidden="true">
        {SIGN[tone] ?? KIND_SIGN[step.kind] ?? '·'}
      </span>
      {step.kind === 'entry' && step.entry !== null && report && (
        <PatternBadge mark={markOf(report, pass, step.entry)} hollow />
      )}
      <span className={cx(css.narrow, css.breaks)}>{textOf(step, level)}</span>
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
