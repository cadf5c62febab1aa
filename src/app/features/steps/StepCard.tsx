/** The current step in full: message, both sides, bindings, PyTorch's message. */
import { Fragment } from 'react'
import type { PassReport } from '../../../engine/protocol'
import type { Step } from '../../../engine/session/steps_types'
import {
  breakpointOf,
  numberOf,
  placeOf,
  sameBreakpoint,
  textOf,
  toneOf,
  type Breakpoint,
  type IndexedTimeline,
} from '../../on_screen/steps/timeline'
import { useSteps } from '../../on_screen/steps/store'
import { fileOf, useWorkspace } from '../../session/workspace_store'
import { NodeLink } from '../../ui/NodeLink'
import { css, cx } from '../../ui/css'
import { Facts, Table } from '../../ui/Table'
import { SourceLink } from '../../ui/SourceLink'
import styles from './StepCard.module.css'

const KIND: Record<Step['kind'], string> = {
  candidate: 'Candidate',
  entry: 'Pattern',
  attempt: 'Attempt',
  expression: 'Expression',
  argument: 'Wildcard',
  binding: 'Binding',
  comparison: 'Comparison',
  users: 'Users',
  revert: 'Revert',
  verdict: 'Verdict',
  barrier: 'Barrier',
  retrace: 'Re-trace',
  'extra-check': 'extra_check',
  insert: 'Insertion',
  erase: 'Erasure',
  done: 'Done',
}

export function StepCard({ step, indexed, pass }: { step: Step; indexed: IndexedTimeline; pass: PassReport | null }) {
  const entry = step.entry === null ? null : pass?.entries[step.entry]
  const patternName = step.patternNode === null ? null : (entry?.pattern.nodes[step.patternNode]?.name ?? null)
  const level = useSteps((s) => s.level)
  const tone = toneOf(indexed, step)
  // The sentence states agreement; a difference also shows both sides.
  const both = step.ok === false && (step.expected !== null || step.found !== null)
  return (
    <section className={styles.card} data-tone={tone} data-testid="step-card">
      <p className={cx(css.baseline, styles.kind)}>
        <strong>{KIND[step.kind]}</strong>
        {step.phase && (
          <span className={cx(css.muted, css.nowrap)}>{step.phase === 'specific' ? 'stage two' : 'stage one'}</span>
        )}
        {entry && <span className={cx(css.muted, css.ellipsis)}>{entry.title}</span>}
        <span className={cx(css.muted, css.num)}>
          {(numberOf(indexed, step.index) + 1).toLocaleString('en-US')} of{' '}
          {(indexed.total ?? indexed.steps.length).toLocaleString('en-US')}
          {indexed.timeline.cut && '+'}
        </span>
      </p>
      <p className={cx(styles.text, css.wrap)} aria-live="polite" data-testid="step-text">
        {textOf(step, level)}
      </p>
      {both && (
        <Table variant="grid">
          <thead>
            <tr>
              <th scope="col">Pattern{patternName && <span className={css.mono}> {patternName}</span>}</th>
              <th scope="col">Graph {step.graphNode && <NodeLink name={step.graphNode} />}</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td className={cx(css.mono, styles.sidePattern)}>{step.expected ?? '–'}</td>
              <td className={cx(css.mono, step.ok === false && styles.sideGraph)}>{step.found ?? '–'}</td>
            </tr>
          </tbody>
        </Table>
      )}
      {step.details && step.details.length > 0 && (
        <Facts>
          {step.details.map(([name, value]) => (
            <div key={name}>
              <dt className={css.mono}>{name}</dt>
              <dd className={css.mono}>{value}</dd>
            </div>
          ))}
        </Facts>
      )}
      {step.reason && (
        <details>
          <summary className={css.muted}>PyTorch’s message</summary>
          <code className={css.wrap}>{step.reason}</code>
        </details>
      )}
      <Source source={placeOf(indexed, step.index).source} />
      <Breaks step={step} pass={pass} />
    </section>
  )
}

function Source({ source }: { source: Step['source'] }) {
  const workspace = useWorkspace((s) => s.workspace)
  if (!source) return null
  const file = fileOf(workspace, source.file)
  const known = workspace.files.some((f) => f.name === file)
  return (
    <p className={css.baseline}>
      {known ? (
        <SourceLink source={source} />
      ) : (
        <span className={cx(css.mono, css.muted)}>
          {file}:{source.line}
        </span>
      )}
      {source.code && <code className={cx(css.muted, css.ellipsis)}>{source.code.trim()}</code>}
    </p>
  )
}

/** Breakpoint toggles for the step's graph node and pattern node. */
function Breaks({ step, pass }: { step: Step; pass: PassReport | null }) {
  const { breakpoints, toggle } = useSteps()
  const own: Breakpoint[] = []
  const pattern = breakpointOf(step, pass)
  if (pattern) own.push(pattern)
  if (step.graphNode && pattern?.kind !== 'graph') own.push({ kind: 'graph', node: step.graphNode })
  if (own.length === 0) return null
  return (
    <p className={styles.breaks}>
      <span className={css.muted}>Break at</span>
      {own.map((b, i) => {
        const on = breakpoints.some((o) => sameBreakpoint(o, b))
        return (
          <Fragment key={b.kind}>
            {i > 0 && ' '}
            <button className={styles.chip} data-on={on || undefined} aria-pressed={on} onClick={() => toggle(b)}>
              <span className={styles.dot} aria-hidden="true" />
              <span className={css.muted}>{b.kind}</span>{' '}
              <span className={css.mono}>{b.kind === 'graph' ? b.node : b.name}</span>
            </button>
          </Fragment>
        )
      })}
    </p>
  )
}
