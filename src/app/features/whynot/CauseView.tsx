/** One cause: what kind, one plain sentence, and both sides of it. */
import type { Cause, EntryReport, Report } from '../../../engine/protocol'
import { nodeNamed } from '../../session/report_index'
import { bareSentence, kindLabel } from './why_not'
import { Sentence } from '../../ui/Notes'
import { NodeLink } from '../../ui/NodeLink'
import { Breakable } from './Breakable'
import { SourceLink } from './SourceLink'

/** The stage is told quietly, beside the kind. */
function partsOf(cause: Cause): { sentence: string; label: string } {
  const { sentence, kind, stage } = cause
  const bare = bareSentence(cause)
  const label = [kindLabel(kind), stage && bare !== sentence ? `${stage} stage` : '']
    .filter((t) => t !== '')
    .join(' · ')
  return { sentence: bare, label }
}

/** @param strong the first cause of a verdict */
export function CauseSentence({ report, cause, strong = false }: { report: Report; cause: Cause; strong?: boolean }) {
  const { sentence, label } = partsOf(cause)
  return (
    <p className={strong ? 'cause-sentence strong' : 'cause-sentence'}>
      <Sentence text={capital(sentence)} graph={report.graph} also={[cause.graphNode, cause.found]} />{' '}
      {label && (
        <span className="cause-kind" title="The kind of the cause, and the stage that compares it">
          {label}
        </span>
      )}
    </p>
  )
}

/** A sentence begins with a capital, unless with a name. */
const capital = (text: string): string =>
  /^(the|this|these|a|an|another|item|argument|everything|nothing|no|at)\b/.test(text)
    ? text[0]!.toUpperCase() + text.slice(1)
    : text

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
