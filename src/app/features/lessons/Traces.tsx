/** The patterns of both stages at one anchor, side by side: the stage-one pattern, and the pattern traced again for stage two. */
import { useEffect, useState } from 'react'
import type { Attempt, Report } from '../../../engine/protocol'
import { splitPair } from '../../report/entry_diff'
import { traceKey, type StoredWorkspace } from '../../../engine/lessons/catalog'
import { loadWorkspace } from './open_lesson'
import styles from './Traces.module.css'
import { css, cx } from '../../ui/css'

interface TracesProps {
  lesson: string
  workspace: string
  at: string
  entry: number
}

export function Traces({ lesson, workspace, at, entry }: TracesProps) {
  const [stored, setStored] = useState<StoredWorkspace | null>(null)
  useEffect(() => {
    let gone = false
    loadWorkspace(lesson, workspace).then(
      (found) => !gone && setStored(found),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [lesson, workspace])
  if (!stored) return null
  const { pattern, one, two } = attemptsAt(stored.report, at, entry)
  const [left, right] = [pattern, stored.traces?.[traceKey(at, entry)] ?? ''].map((text) => text.split('\n')) as [
    string[],
    string[],
  ]
  const paired = left.length === right.length
  return (
    <div className={styles.traces} data-testid="traces">
      <Trace title={`Stage one at ${at}`} attempt={one} lines={left} other={paired ? right : null} />
      <Trace title={`Stage two at ${at}`} attempt={two} lines={right} other={paired ? left : null} />
    </div>
  )
}

/** The attempts of an entry at an anchor. */
function attemptsAt(report: Report, at: string, entry: number) {
  const pass = report.passes.find((p) => p.attempts.some((a) => a.node === at)) ?? report.passes[0]
  const of = (phase: Attempt['phase']): Attempt | null =>
    pass?.attempts.find((a) => a.node === at && a.entry === entry && a.phase === phase) ?? null
  return { pattern: pass?.entries[entry]?.text ?? '', one: of('initial'), two: of('specific') }
}

interface TraceProps {
  title: string
  attempt: Attempt | null
  lines: readonly string[]
  /** The other pattern's lines, to mark what differs. */
  other: readonly string[] | null
}

function Trace({ title, attempt, lines, other }: TraceProps) {
  return (
    <figure className={styles.trace}>
      <figcaption>
        {title}{' '}
        <span className={cx(styles.outcome, css.bad)} data-ok={attempt?.ok || undefined}>
          {attempt ? (attempt.ok ? 'matches' : 'fails') : 'not tried'}
        </span>
      </figcaption>
      <pre tabIndex={0} aria-label={`Pattern of ${title}`}>
        {lines.map((line, i) => (
          <Line key={i} line={line} other={other?.[i] ?? null} />
        ))}
      </pre>
      {attempt?.reason && <p className={cx(css.muted, css.breaks)}>{attempt.reason}</p>}
    </figure>
  )
}

function Line({ line, other }: { line: string; other: string | null }) {
  if (other === null || other === line) return `${line}\n`
  const { before, changed, after } = splitPair(line, other).left
  return (
    <>
      {before}
      <mark className={styles.changed}>{changed}</mark>
      {after}
      {'\n'}
    </>
  )
}
