/** One cause: its message, its kind, and both sides of it. */
import type { Cause, EntryReport, Report } from '../../../engine/protocol'
import { nodeNamed } from '../../session/report_index'
import { capitalized, withoutNotes } from '../../../base/message'
import { MessageText } from '../../ui/MessageText'
import { kindLabel } from './why_not'
import { NodeLink } from '../../ui/NodeLink'
import { Breakable } from '../../ui/Breakable'
import { SourceLink } from '../../ui/SourceLink'

/** The kind, and for a constant the stage that compares it. */
const labelOf = ({ kind, reason }: Cause): string =>
  [kindLabel(kind), reason.kind === 'constant' ? `${reason.stage} stage` : ''].filter((t) => t !== '').join(' · ')

/** @param strong the first cause of a verdict */
export function CauseSentence({ report, cause, strong = false }: { report: Report; cause: Cause; strong?: boolean }) {
  const label = labelOf(cause)
  return (
    <p className={strong ? 'cause-sentence strong' : 'cause-sentence'}>
      <MessageText message={capitalized(withoutNotes(cause.parts))} graph={report.graph} />{' '}
      {label && (
        <span className="cause-kind" title="The kind of the cause, and the stage that compares it">
          {label}
        </span>
      )}
    </p>
  )
}

/** The pattern's node with its line, the graph's node, and what each has. */
export function Sides({ report, entry, cause }: { report: Report; entry: EntryReport | null; cause: Cause }) {
  const pattern = cause.patternNode === null ? null : (entry?.pattern.nodes[cause.patternNode] ?? null)
  const source = cause.source ?? pattern?.source ?? null
  const node = cause.graphNode === null ? null : nodeNamed(report.graph, cause.graphNode)
  if (!pattern && !source && !node && cause.expected === null && cause.found === null) return null
  const code = source?.code?.trim()
  return (
    <dl className="sides2">
      <div>
        <dt>
          <span className="side-name">Pattern</span>
          {source ? <SourceLink source={source} /> : pattern && <span className="mono">{pattern.name}</span>}
        </dt>
        <dd className="mono side-value">{cause.expected ?? (pattern ? shortOf(pattern) : '–')}</dd>
        {code && <dd className="mono side-code">{code}</dd>}
      </div>
      <div>
        <dt>
          <span className="side-name">Graph</span>
          {cause.graphNode &&
            (node ? <NodeLink name={cause.graphNode} /> : <span className="mono">{cause.graphNode}</span>)}
        </dt>
        <dd className="mono side-value found">
          {cause.found !== null && nodeNamed(report.graph, cause.found) ? (
            <NodeLink name={cause.found} />
          ) : (
            (cause.found ?? (node ? shortOf(node) : '–'))
          )}
        </dd>
        {node && (
          <dd className="mono side-code">
            <Breakable text={node.inner ?? node.target} />
          </dd>
        )}
      </div>
      {cause.argument !== null && (
        <div className="side-argument">
          <dt>
            <span className="side-name">Argument</span>
          </dt>
          <dd className="mono">{cause.argument}</dd>
        </div>
      )}
    </dl>
  )
}

const shortOf = (n: { target: string; inner: string | null }): string => n.inner ?? n.target
