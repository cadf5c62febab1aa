/** Violations of a rewrite: one sentence each, with its node and the number of equal violations. */
import type { ReactNode } from 'react'
import { message } from '../../../base/message'
import type { PassReport, Report, Violation, ViolationKind } from '../../../engine/protocol'
import type { PipelineStage } from '../../../engine/pipeline/types'
import { markOf } from '../../../engine/queries/report_index'
import { count } from '../../../base/english'
import { foldViolations, violationsAt } from '../violations'
import { Icon } from '../../ui/icons'
import { PatternBadge } from '../../ui/PatternBadge'
import { NodeLink } from '../../ui/NodeLink'
import { MessageText } from '../../ui/MessageText'
import { css, cx } from '../../ui/css'
import styles from './Violations.module.css'

/** Violations of one pass. Renders nothing if there are none. */
export function Violations({ report, pass }: { report: Report; pass: PassReport }) {
  const folded = foldViolations(pass)
  if (folded.length === 0) return null
  return (
    <Section label={`Violations of ${pass.name}`} title={count(pass.violations!.length, 'violation')}>
      {folded.map(({ entry, violation, others }, i) => (
        <li key={i}>
          {entry && <PatternBadge mark={markOf(report, pass.name, entry.index)} />}
          <div className={cx(css.spring, css.breaks)}>
            <Finding report={report} violation={violation} />
            {others.length > 0 && (
              <p className={css.muted}>
                {count(others.length, 'more', 'more')} like it, first at <NodeLink name={others[0]!} side="after" />
              </p>
            )}
          </div>
        </li>
      ))}
    </Section>
  )
}

/** Violations of code on the graph. Renders nothing if there are none. */
export function StageViolations({ stage: { name, did } }: { stage: PipelineStage }) {
  const broken = did?.broken ?? []
  if (broken.length === 0) return null
  return (
    <Section label={`Violations of ${name}`} title={count(broken.length, 'violation')}>
      {broken.map((sentence) => (
        <li key={sentence}>
          <div className={cx(css.spring, css.breaks)}>{sentence}.</div>
        </li>
      ))}
    </Section>
  )
}

/** Violations at one node of the graph before or after. */
export function NodeViolations({ report, node, side }: { report: Report; node: string; side: 'before' | 'after' }) {
  const violations = violationsAt(report, node, side)
  if (violations.length === 0) return null
  return (
    <Section label="Violations here" title="Violations here">
      {violations.map((violation, i) => (
        <li key={i}>
          <div className={cx(css.spring, css.breaks)}>
            <Finding report={report} violation={violation} />
          </div>
        </li>
      ))}
    </Section>
  )
}

function Section({ label, title, children }: { label: string; title: string; children: ReactNode }) {
  return (
    <section className={styles.violations} aria-label={label} data-testid="violations">
      <h3>
        <Icon name="warn" size={12} />
        {title}
      </h3>
      <ul>{children}</ul>
    </section>
  )
}

function Finding({ report, violation }: { report: Report; violation: Violation }) {
  const { kind, node, parts } = violation
  return (
    <>
      <p>
        <MessageText message={message`${parts}.`} graph={report.graph} after={report.after} />
      </p>
      <p className={cx(css.muted, styles.facts)}>
        <span>{KINDS[kind]}</span>
        <NodeLink name={node} side="after" />
      </p>
    </>
  )
}

const KINDS: Record<ViolationKind, string> = {
  output: 'another value',
  metadata: 'metadata',
  alias: 'aliasing',
  mutation: 'mutation',
  order: 'order',
}
