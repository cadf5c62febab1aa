/** One cause: its message, its kind, and both sides of it. */
import type { Cause, EntryReport, Report } from '../../../engine/protocol'
import { nodeNamed } from '../../../engine/queries/report_index'
import { capitalized, withoutNotes } from '../../../base/message'
import { MessageText } from '../../ui/MessageText'
import { CAUSE_TERMS } from '../../../engine/lessons/glossary'
import { Term } from '../lessons/Term'
import { kindLabel } from '../../../engine/queries/why_not'
import { NodeLink } from '../../ui/NodeLink'
import { Badge } from '../../ui/Badge'
import { DocsLink } from '../../docs/DocsLink'
import { Breakable } from '../../ui/Breakable'
import { SourceLink } from '../../ui/SourceLink'
import { css, cx } from '../../ui/css'
import missStyles from '../../report/views/misses.module.css'
import styles from './CauseView.module.css'

/** The kind, and for a constant the stage that compares it. */
const labelOf = ({ kind, stage }: Cause): string =>
  [kindLabel(kind), kind === 'constant' && stage !== null ? `stage ${stage === 'specific' ? 'two' : 'one'}` : '']
    .filter((t) => t !== '')
    .join(' · ')

/** @param strong the first cause of a verdict */
export function CauseSentence({ report, cause, strong = false }: { report: Report; cause: Cause; strong?: boolean }) {
  const label = labelOf(cause)
  const term = CAUSE_TERMS[cause.kind]
  return (
    <p className={cx(missStyles.sentence, css.breaks)} data-strong={strong || undefined}>
      <MessageText message={capitalized(withoutNotes(cause.parts))} graph={report.graph} />{' '}
      {label && (
        <span
          className={missStyles.kind}
          title={term ? undefined : 'Kind of the cause, and the stage that compares it'}
        >
          {term ? (
            <Term id={term} quiet>
              {label}
            </Term>
          ) : (
            label
          )}
        </span>
      )}{' '}
      {label && <DocsLink to={`causes:${cause.kind}`} label={`Documentation: ${kindLabel(cause.kind)}`} />}{' '}
      {cause.stubs && (
        <Badge tone="warn" title="With the real module in place of the stub, this cause may not hold">
          rests on a stub
        </Badge>
      )}
    </p>
  )
}

/** The pattern's node with its line, the graph's node, and both values. */
export function Sides({ report, entry, cause }: { report: Report; entry: EntryReport | null; cause: Cause }) {
  const pattern = cause.patternNode === null ? null : (entry?.pattern.nodes[cause.patternNode] ?? null)
  const source = cause.source ?? pattern?.source ?? null
  const node = cause.graphNode === null ? null : nodeNamed(report.graph, cause.graphNode)
  if (!pattern && !source && !node && cause.expected === null && cause.found === null) return null
  const code = source?.code?.trim()
  return (
    <dl className={styles.sides}>
      <div>
        <dt>
          <span className={cx(css.tiny, css.strong, css.muted)}>Pattern</span>
          {source ? <SourceLink source={source} /> : pattern && <span className={css.mono}>{pattern.name}</span>}
        </dt>
        <dd className={cx(css.mono, styles.value, css.strong, css.breaks)}>
          {cause.expected ?? (pattern ? shortOf(pattern) : '–')}
        </dd>
        {code && <dd className={cx(css.mono, css.tiny, css.breaks, css.muted)}>{code}</dd>}
      </div>
      <div>
        <dt>
          <span className={cx(css.tiny, css.strong, css.muted)}>Graph</span>
          {cause.graphNode &&
            (node ? <NodeLink name={cause.graphNode} /> : <span className={css.mono}>{cause.graphNode}</span>)}
        </dt>
        <dd className={cx(css.mono, styles.value, css.strong, css.breaks, styles.found)}>
          {cause.found !== null && nodeNamed(report.graph, cause.found) ? (
            <NodeLink name={cause.found} />
          ) : (
            (cause.found ?? (node ? shortOf(node) : '–'))
          )}
        </dd>
        {node && (
          <dd className={cx(css.mono, css.tiny, css.breaks, css.muted)}>
            <Breakable text={node.inner ?? node.target} />
          </dd>
        )}
      </div>
      {cause.argument !== null && (
        <div className={styles.argument}>
          <dt>
            <span className={cx(css.tiny, css.strong, css.muted)}>Argument</span>
          </dt>
          <dd className={css.mono}>{cause.argument}</dd>
        </div>
      )}
    </dl>
  )
}

const shortOf = (n: { target: string; inner: string | null }): string => n.inner ?? n.target
