/** The selected node: properties, neighbors as links, all attempts at it. */
import { openText } from '../../on_screen/look/actions'
import type { GraphView, NodeView, PassReport, Report } from '../../../engine/protocol'
import { foldAttempts, type AttemptGroup, type Outcome } from './attempts'
import { indexOf, markOf, nodeNamed } from '../../../engine/queries/report_index'
import { count } from '../../../base/english'
import { useSelectionHighlight } from '../../on_screen/use_highlight'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { fileOf, useWorkspace } from '../../session/workspace_store'
import { NodeVerdicts } from '../../report/views/NodeVerdicts'
import { choosePattern } from '../../on_screen/pin_store'
import { Icon } from '../../ui/icons'
import { PatternBadge } from '../../ui/PatternBadge'
import { NodeLink } from '../../ui/NodeLink'
import { NodeViolations } from '../../report/views/Violations'
import { StepThrough } from '../../on_screen/steps/StepThrough'
import { EmptyState } from '../../ui/Messages'
import { Kbd } from '../../ui/Badge'
import { css, cx } from '../../ui/css'
import { Fact, Facts } from '../../ui/Table'
import { Button, LinkButton } from '../../ui/Button'
import { SectionTitle } from '../../ui/Section'
import styles from './NodePanel.module.css'
import { RowButton } from '../../ui/Row'

export function NodePanel() {
  const selection = useView((s) => s.selection)
  const report = useRun((s) => s.result.value)
  const before = useRun((s) => s.graphRead.value ?? s.result.value?.graph ?? null)
  const h = useSelectionHighlight()
  const side = selection?.kind === 'node' ? selection.side : 'before'
  const name = selection?.kind === 'node' ? selection.name : h.focusBefore
  const graph = side === 'after' ? (report?.after ?? null) : before
  const node = name ? nodeNamed(graph, name) : null
  if (!graph || !node)
    return (
      <EmptyState>
        <p>Details of a node: its arguments, its users and the attempts at it.</p>
        <p>
          Select a node on the canvas, or press <Kbd>/</Kbd> to find one.
        </p>
      </EmptyState>
    )
  return (
    <div className={css.padWide}>
      <NodeFacts node={node} graph={graph} side={side} />
      {report && <NodeViolations report={report} node={node.name} side={side} />}
      {report && side === 'before' && <AskWhy report={report} node={node.name} />}
      {report && side === 'before' && <Takes report={report} node={node} />}
      {report && side === 'before' && <NodeVerdicts report={report} node={node.name} />}
      {report && side === 'before' && <Attempts report={report} node={node} />}
    </div>
  )
}

function NodeFacts({ node, graph, side }: { node: NodeView; graph: GraphView; side: 'before' | 'after' }) {
  const workspace = useWorkspace((s) => s.workspace)
  const facts: [string, string | null][] = [
    ['op', node.op],
    ['target', node.target],
    ['operator', node.inner],
    ['dtype', node.dtype],
    ['shape', node.shape],
    ['stride', node.stride],
    ['device', node.device],
    ...(node.meta ?? []),
  ]
  return (
    <>
      <h2 className={cx(css.mono, styles.name)}>
        {node.name} <span className={css.muted}>{side}</span>
      </h2>
      <Facts
        data-testid="node-facts"
        pairs={[
          ...facts.filter(([, v]) => v !== null),
          ...node.args.map((a, i) => [`args[${i}]`, a] as const),
          ...node.kwargs,
        ]}
      >
        <Fact name="inputs">
          <NodeLinks ids={node.inputs} graph={graph} side={side} />
        </Fact>
        <Fact name={count(node.users.length, 'user')}>
          <NodeLinks ids={node.users} graph={graph} side={side} />
        </Fact>
        {node.source && (
          <Fact name="source" className={cx(css.mono, css.wrap)}>
            {fileOf(workspace, node.source.file)}:{node.source.line}
            {node.source.code && <span className={css.muted}> {node.source.code}</span>}
          </Fact>
        )}
        {node.textLine !== null && side === 'before' && <TextLineFact name={node.name} line={node.textLine} />}
      </Facts>
    </>
  )
}

/** Maximum number of linked inputs or users. */
const MAX_LINKS = 40

function NodeLinks({ ids, graph, side }: { ids: readonly number[]; graph: GraphView; side: 'before' | 'after' }) {
  if (ids.length === 0) return <span className={css.muted}>none</span>
  return (
    <>
      {ids.slice(0, MAX_LINKS).map((i, k) => (
        <span key={i}>
          {k > 0 && ', '}
          <NodeLink name={graph.nodes[i]?.name ?? '?'} side={side} />
        </span>
      ))}
    </>
  )
}

/** Link to the line of the graph's text that defines the node. */
function TextLineFact({ name, line }: { name: string; line: number }) {
  const workspace = useWorkspace((s) => s.workspace)
  return (
    <Fact name="text">
      <LinkButton mono onClick={() => openText(name)}>
        {workspace.graph.name}:{line}
      </LinkButton>
    </Fact>
  )
}

/** Link to the pinned pair. */
function AskWhy({ report, node }: { report: Report; node: string }) {
  const summary = useRun((s) => s.result.sent)
  if (summary || !report.passes.some((p) => p.entries.length > 0)) return null
  return (
    <p className={styles.askWhy}>
      <Button data-testid="ask-why" onClick={() => choosePattern(node)}>
        <Icon name="pin" size={12} />
        Why doesn’t a pattern match here?…
      </Button>
    </p>
  )
}

function Takes({ report, node }: { report: Report; node: NodeView }) {
  const refs = indexOf(report).byNode.get(node.name) ?? []
  if (refs.length === 0) return null
  return (
    <section>
      <SectionTitle as="h3">Part of</SectionTitle>
      {refs.map(({ pass, match, entry }) => (
        <RowButton
          key={`${pass.name}:${match.index}`}
          className={styles.match}
          onClick={() => useView.getState().select({ kind: 'match', pass: pass.name, index: match.index })}
        >
          <PatternBadge mark={markOf(report, pass.name, entry.index)} />
          <span className={cx(css.ellipsis, css.grow)}>
            {entry.title}, match {match.index + 1}
          </span>
          <span className={cx(css.num, css.muted)}>{count(match.nodes.length, 'node')}</span>
        </RowButton>
      ))}
    </section>
  )
}

function Attempts({ report, node }: { report: Report; node: NodeView }) {
  const lists = report.passes.map((pass) => ({ pass, attempts: pass.attempts.filter((a) => a.node === node.name) }))
  const total = lists.reduce((n, l) => n + l.attempts.length, 0)
  const fromLink = useRun((s) => s.result.sent !== null)
  if (fromLink || report.passes.some((pass) => pass.attemptsLeftOut))
    return (
      <section>
        <SectionTitle as="h3">Attempts at this node</SectionTitle>
        <p className={css.muted}>
          {fromLink
            ? 'The attempts appear here after the code of this link has run.'
            : 'The attempts appear here once Python has started.'}
        </p>
      </section>
    )
  return (
    <section>
      <SectionTitle as="h3">
        {total === 0 ? 'No attempt has this node as its anchor' : `${count(total, 'attempt')} at this node`}
      </SectionTitle>
      {lists.map(({ pass, attempts }) => (
        <div key={pass.name} className={styles.steps}>
          {attempts.length > 0 && <StepThrough of={{ pass: pass.name, entry: null, node: node.name }} />}
          <ol className={styles.attempts}>
            {foldAttempts(attempts).map((group, i) => (
              <AttemptRow key={i} report={report} pass={pass} group={group} />
            ))}
          </ol>
        </div>
      ))}
    </section>
  )
}

/** Maximum number of badges; the rest are counted. */
const BADGES = 8

function AttemptRow({ report, pass, group }: { report: Report; pass: PassReport; group: AttemptGroup }) {
  const { attempts, phase, outcome, sentence, reason } = group
  const titles = [...new Set(attempts.map((a) => pass.entries[a.entry]?.title ?? `pattern ${a.entry}`))]
  return (
    <li data-outcome={outcome}>
      <div className={css.row}>
        <span className={styles.badges}>
          {attempts.slice(0, BADGES).map((a) => (
            <LinkButton
              key={a.entry}
              aria-label={`Pattern ${markOf(report, pass.name, a.entry).letter}`}
              onClick={() => useView.getState().select({ kind: 'entry', pass: pass.name, index: a.entry })}
            >
              <PatternBadge mark={markOf(report, pass.name, a.entry)} hollow={!a.ok} />
            </LinkButton>
          ))}
          {attempts.length > BADGES && <span className={css.muted}>+{attempts.length - BADGES}</span>}
        </span>
        <span className={css.muted}>{phase}</span>
        <span className={styles.outcome}>{WORDS[outcome]}</span>
      </div>
      <p className={cx(css.muted, styles.title, css.ellipsis)}>{titles.join(', ')}</p>
      {sentence && <p className={css.wrap}>{sentence}</p>}
      {reason && reason !== sentence && (
        <details>
          <summary className={css.muted}>PyTorch’s words</summary>
          <p className={cx(css.mono, css.muted, css.wrap)}>{reason}</p>
        </details>
      )}
    </li>
  )
}

const WORDS: Record<Outcome, string> = { ok: 'matched', dropped: 'dropped', failed: 'failed' }
