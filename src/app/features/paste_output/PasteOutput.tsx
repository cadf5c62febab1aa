/** Pasted PyTorch debug output: locates each line on the graph and explains it. */
import { useEffect, useRef, useDeferredValue, useMemo } from 'react'
import { type LocatedDebugLine, locate, parseDebugOutput } from '../../../engine/report/debug_output'
import type { GraphView, Report } from '../../../engine/protocol'
import { markOf } from '../../../engine/queries/report_index'
import { count } from '../../../base/english'
import { readOutput, type OutputGroup } from './why_not_output'
import { useExplained } from '../../on_screen/explained'
import { usePasteOutput } from './store'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { Icon } from '../../ui/icons'
import { PatternBadge } from '../../ui/PatternBadge'
import { plainText, withoutNotes } from '../../../base/message'
import { MessageText } from '../../ui/MessageText'
import { NodeLink } from '../../ui/NodeLink'
import { Button, LinkButton } from '../../ui/Button'
import { TextArea } from '../../ui/Field'
import { css, cx } from '../../ui/css'
import styles from './PasteOutput.module.css'
import missStyles from '../../report/views/misses.module.css'

/** Parses the pasted text and locates its lines on the graph, again after each change of the text or the graph. */
function useLocated(text: string, graph: GraphView | null, report: Report | null): LocatedDebugLine[] | null {
  // A long paste is parsed when typing pauses.
  const settled = useDeferredValue(text)
  const lines = useMemo(() => (settled.trim() === '' ? null : parseDebugOutput(settled)), [settled])
  return useMemo(() => lines && graph && locate(lines, graph, report?.passes ?? []), [lines, graph, report])
}

export function PasteOutput() {
  const text = usePasteOutput((s) => s.text)
  const report = useExplained().report ?? null
  const graph = useRun((s) => s.graphRead.value)
  const lines = useLocated(text, graph, report)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const some = lines !== null && lines.length > 0
  return (
    <section className={styles.paste} aria-label="PyTorch’s own output" data-testid="paste-output">
      <header>
        <Button variant="quiet" onClick={() => usePasteOutput.setState({ open: false })}>
          <span className={styles.back}>
            <Icon name="chevron" size={12} />
          </span>
          Why not
        </Button>
        <h2>PyTorch’s own output</h2>
      </header>
      <div className={css.pad}>
        <p className={css.muted}>
          Run your model with <code>TORCHINDUCTOR_PATTERN_MATCH_DEBUG=all</code>, or with the names of nodes, and paste
          what it prints. Nothing leaves this page.
        </p>
        <TextArea
          ref={field}
          mono
          data-testid="paste-text"
          aria-label="Output of TORCHINDUCTOR_PATTERN_MATCH_DEBUG"
          placeholder="getitem_318(auto_functionalized_95, 1) constant_args: auto_functionalized_95 128!=64 CallFunction(…"
          rows={some ? 3 : 8}
          spellCheck={false}
          value={text}
          onValue={(value) => usePasteOutput.setState({ text: value })}
        />
      </div>
      {lines && graph && <Lines lines={lines} report={report} graph={graph} />}
    </section>
  )
}

interface LinesProps {
  lines: readonly LocatedDebugLine[]
  report: Report | null
  graph: GraphView
}

function Lines({ lines, report, graph }: LinesProps) {
  const read = readOutput(lines)
  const relevant = lines.length - read.other.length
  if (lines.length === 0) return null
  return (
    <>
      <p className={cx(css.pad, css.ruled)} role="status">
        {relevant === 0 ? (
          'No line of this output is about pattern matching. Expected lines like “node(args) reason pattern”.'
        ) : (
          <>
            <strong>{count(relevant, 'line')}</strong> about patterns
            {read.elsewhere > 0 && `, ${read.elsewhere} of them name nodes that this graph lacks`}
          </>
        )}
      </p>
      <Groups groups={read.failed} report={report} graph={graph} label="What failed" />
      {read.matched.length > 0 && (
        <details className={missStyles.taken}>
          <summary>
            {count(
              read.matched.reduce((n, g) => n + g.lines.length, 0),
              'line',
            )}{' '}
            about what matched
          </summary>
          <Groups groups={read.matched} report={report} graph={graph} label="What matched" />
        </details>
      )}
      {read.other.length > 0 && (
        <details className={missStyles.taken}>
          <summary>{count(read.other.length, 'line')} not about patterns</summary>
          <pre className={cx(css.pad, css.wrap, css.muted)}>{read.other.map((l) => l.text).join('\n')}</pre>
        </details>
      )}
    </>
  )
}

interface GroupsProps {
  groups: readonly OutputGroup[]
  report: Report | null
  graph: GraphView
  label: string
}

function Groups({ groups, report, graph, label }: GroupsProps) {
  if (groups.length === 0) return null
  return (
    <ol className={missStyles.misses} aria-label={label}>
      {groups.map((g) => (
        <li key={g.lead.line} className={styles.line} data-testid="output-line">
          <Group group={g} report={report} graph={graph} />
        </li>
      ))}
    </ol>
  )
}

/** Maximum number of named places; the rest are counted. */
const NAMED = 3

function Group({
  group: { lead, lines },
  report,
  graph,
}: {
  group: OutputGroup
  report: Report | null
  graph: GraphView
}) {
  const { pass, entry, means, misleads, cause } = lead
  const nameOf = (l: LocatedDebugLine): string | null =>
    l.nodeIndex === null ? null : (graph.nodes[l.nodeIndex]?.name ?? null)
  const named = [...new Set(lines.map(nameOf))].filter((n) => n !== null)
  return (
    <>
      <p className={cx(styles.head, css.baseline)}>
        {report && pass !== null && entry !== null && <PatternBadge mark={markOf(report, pass, entry)} hollow />}
        <GroupNodes named={named} lead={lead} />
        <span className={cx(css.muted, css.num)}>line {lead.line}</span>
      </p>
      <p className={cx(missStyles.sentence, css.breaks)}>
        <MessageText message={means} graph={graph} />
      </p>
      {misleads && (
        <p className={styles.misleads}>
          <Icon name="warn" size={12} />
          <span>
            <MessageText message={misleads} graph={graph} />
          </span>
        </p>
      )}
      {cause && plainText(withoutNotes(cause.parts)) !== plainText(means) && (
        <p className={styles.cause}>
          <span className={cx(css.tiny, css.strong, css.muted)}>Fusescope</span>{' '}
          <MessageText message={withoutNotes(cause.parts)} graph={graph} />{' '}
          <LinkButton
            onClick={() => {
              const name = cause.graphNode ?? named[0]
              if (name) useView.getState().select({ kind: 'node', side: 'before', name })
            }}
          >
            Show
          </LinkButton>
        </p>
      )}
      <details>
        <summary className={css.muted}>PyTorch’s output</summary>
        <p className={cx(css.mono, css.muted, css.wrap)}>{lead.text}</p>
      </details>
    </>
  )
}

/** Links to the first nodes of a group, or the name of a node that the graph lacks. */
function GroupNodes({ named, lead }: { named: readonly string[]; lead: OutputGroup['lead'] }) {
  return named.length > 0 ? (
    <span>
      {named.slice(0, NAMED).map((n, i) => (
        <span key={n}>
          {i > 0 && ', '}
          <NodeLink name={n} />
        </span>
      ))}
      {named.length > NAMED && ` and ${named.length - NAMED} more`}
    </span>
  ) : (
    <span>
      <span className={css.mono}>{lead.node}</span> <span className={css.muted}>is not in this graph</span>
    </span>
  )
}
