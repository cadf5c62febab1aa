/** Everything known of the selected node: facts, neighbours as links, every attempt that was made at it. */
import type { GraphView, NodeView, PassReport, Report } from '../../../engine/protocol'
import { foldAttempts, type AttemptGroup, type Outcome } from './attempts'
import { indexOf, markOf, nodeNamed } from '../../session/report_index'
import { fileOf } from '../../session/highlight'
import { count } from '../../../base/english'
import { useSelectionHighlight } from '../../session/highlights'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { choosePattern } from '../whynot/commands'
import { Icon } from '../../ui/icons'
import { PatternBadge } from '../../ui/PatternBadge'
import { NodeLink } from '../../ui/NodeLink'
import { NodeViolations } from '../pipeline/Violations'
import { StepThrough } from '../steps/StepThrough'

export function NodePanel() {
  const selection = useView((s) => s.selection)
  const report = useRun((s) => s.report)
  const before = useRun((s) => s.graph ?? s.report?.graph ?? null)
  const h = useSelectionHighlight()
  const side = selection?.kind === 'node' ? selection.side : 'before'
  const name = selection?.kind === 'node' ? selection.name : h.focusBefore
  const graph = side === 'after' ? (report?.after ?? null) : before
  const node = name ? nodeNamed(graph, name) : null
  if (!graph || !node)
    return (
      <div className="empty">
        <p>All facts about one node: its arguments, its users, the patterns that were tried there.</p>
        <p>
          Select a node on the canvas, or press <kbd>/</kbd> to find one.
        </p>
      </div>
    )
  return (
    <div className="node-panel">
      <Facts node={node} graph={graph} side={side} />
      {report && <NodeViolations report={report} node={node.name} side={side} />}
      {report && side === 'before' && <AskWhy report={report} node={node.name} />}
      {report && side === 'before' && <Takes report={report} node={node} />}
      {report && side === 'before' && <Attempts report={report} node={node} />}
    </div>
  )
}

function Facts({ node, graph, side }: { node: NodeView; graph: GraphView; side: 'before' | 'after' }) {
  const workspace = useWorkspace((s) => s.workspace)
  const facts: [string, React.ReactNode][] = [
    ['op', node.op],
    ['target', node.target],
    ['operator', node.inner],
    ['dtype', node.dtype],
    ['shape', node.shape],
    ['stride', node.stride],
    ['device', node.device],
    ...(node.meta ?? []),
  ]
  const links = (ids: readonly number[]): React.ReactNode =>
    ids.length === 0 ? (
      <span className="muted">none</span>
    ) : (
      ids.slice(0, 40).map((i, k) => (
        <span key={i}>
          {k > 0 && ', '}
          <NodeLink name={graph.nodes[i]?.name ?? '?'} side={side} />
        </span>
      ))
    )
  return (
    <>
      <h2 className="mono node-name">
        {node.name} <span className="muted">{side}</span>
      </h2>
      <dl className="facts">
        {facts
          .filter(([, v]) => v !== null)
          .map(([k, v]) => (
            <div key={k}>
              <dt>{k}</dt>
              <dd className="mono">{v}</dd>
            </div>
          ))}
        {node.args.map((a, i) => (
          <div key={`a${i}`}>
            <dt>args[{i}]</dt>
            <dd className="mono">{a}</dd>
          </div>
        ))}
        {node.kwargs.map(([k, v]) => (
          <div key={`k${k}`}>
            <dt>{k}</dt>
            <dd className="mono">{v}</dd>
          </div>
        ))}
        <div>
          <dt>inputs</dt>
          <dd>{links(node.inputs)}</dd>
        </div>
        <div>
          <dt>{count(node.users.length, 'user')}</dt>
          <dd>{links(node.users)}</dd>
        </div>
        {node.source && (
          <div>
            <dt>source</dt>
            <dd className="mono wrap">
              {fileOf(workspace, node.source.file)}:{node.source.line}
              {node.source.code && <span className="muted"> {node.source.code}</span>}
            </dd>
          </div>
        )}
        {node.textLine !== null && side === 'before' && (
          <div>
            <dt>text</dt>
            <dd>
              <button
                className="link mono"
                onClick={() => {
                  useWorkspace.getState().open(workspace.graph.name)
                  useView.getState().select({ kind: 'node', side, name: node.name })
                }}
              >
                {workspace.graph.name}:{node.textLine}
              </button>
            </dd>
          </div>
        )}
      </dl>
    </>
  )
}

/** The way to the pinned pair. */
function AskWhy({ report, node }: { report: Report; node: string }) {
  const summary = useRun((s) => s.summary)
  if (summary || !report.passes.some((p) => p.entries.length > 0)) return null
  return (
    <p className="ask-why">
      <button className="btn" data-testid="ask-why" onClick={() => choosePattern(node)}>
        <Icon name="pin" size={12} />
        Why doesn’t a pattern match here?…
      </button>
    </p>
  )
}

function Takes({ report, node }: { report: Report; node: NodeView }) {
  const refs = indexOf(report).byNode.get(node.name) ?? []
  if (refs.length === 0) return null
  return (
    <section>
      <h3 className="section-title">Part of</h3>
      {refs.map(({ pass, match, entry }) => (
        <button
          key={`${pass.name}:${match.index}`}
          className="row match-row"
          onClick={() => useView.getState().select({ kind: 'match', pass: pass.name, index: match.index })}
        >
          <PatternBadge mark={markOf(report, pass.name, entry.index)} />
          <span className="ellipsis">
            {entry.title}, match {match.index + 1}
          </span>
          <span className="num muted">{count(match.nodes.length, 'node')}</span>
        </button>
      ))}
    </section>
  )
}

function Attempts({ report, node }: { report: Report; node: NodeView }) {
  const lists = report.passes.map((pass) => ({ pass, attempts: pass.attempts.filter((a) => a.node === node.name) }))
  const total = lists.reduce((n, l) => n + l.attempts.length, 0)
  const fromLink = useRun((s) => s.summary !== null)
  if (fromLink || report.passes.some((pass) => pass.attemptsLeftOut))
    return (
      <section>
        <h3 className="section-title">Attempts at this node</h3>
        <p className="muted">
          {fromLink
            ? 'They are listed once this link’s code has run here.'
            : 'They are listed as soon as Python has started.'}
        </p>
      </section>
    )
  return (
    <section>
      <h3 className="section-title">
        {total === 0 ? 'No pattern was tried with this node as its anchor' : `${count(total, 'attempt')} at this node`}
      </h3>
      {lists.map(({ pass, attempts }) => (
        <div key={pass.name}>
          {attempts.length > 0 && <StepThrough of={{ pass: pass.name, entry: null, node: node.name }} />}
          <ol className="attempts">
            {foldAttempts(attempts).map((group, i) => (
              <AttemptRow key={i} report={report} pass={pass} group={group} />
            ))}
          </ol>
        </div>
      ))}
    </section>
  )
}

/** More badges than this are a number. */
const BADGES = 8

function AttemptRow({ report, pass, group }: { report: Report; pass: PassReport; group: AttemptGroup }) {
  const { attempts, phase, outcome, sentence, reason } = group
  const titles = [...new Set(attempts.map((a) => pass.entries[a.entry]?.title ?? `pattern ${a.entry}`))]
  return (
    <li className={outcome}>
      <div className="attempt-head">
        <span className="badges">
          {attempts.slice(0, BADGES).map((a) => (
            <button
              key={a.entry}
              className="link"
              aria-label={`Pattern ${markOf(report, pass.name, a.entry).letter}`}
              onClick={() => useView.getState().select({ kind: 'entry', pass: pass.name, index: a.entry })}
            >
              <PatternBadge mark={markOf(report, pass.name, a.entry)} hollow={!a.ok} />
            </button>
          ))}
          {attempts.length > BADGES && <span className="muted">+{attempts.length - BADGES}</span>}
        </span>
        <span className="muted">{phase}</span>
        <span className="outcome">{WORDS[outcome]}</span>
      </div>
      <p className="muted attempt-title ellipsis">{titles.join(', ')}</p>
      {sentence && <p className="wrap">{sentence}</p>}
      {reason && reason !== sentence && (
        <details>
          <summary className="muted">PyTorch’s words</summary>
          <p className="mono muted wrap">{reason}</p>
        </details>
      )}
    </li>
  )
}

const WORDS: Record<Outcome, string> = { ok: 'matched', dropped: 'dropped', failed: 'failed' }
