/** Near misses: what the pattern has against what the graph has. */
import type { NearMiss, PassReport, Report } from '../../engine/protocol'
import { bindingsText, count } from '../model/verdict'
import { markOf } from '../model/report_index'
import { useRun } from '../stores/run'
import { useView } from '../stores/view'
import { PatternBadge } from '../shell/PatternBadge'
import { NodeLink } from './NodeLink'
import { Sentence } from './Notes'

export function WhyNotPanel() {
  const report = useRun((s) => s.report)
  const summary = useRun((s) => s.summary)
  if (!report) return <p className="empty">Once the patterns have run, what came close and failed is explained here.</p>
  const misses = report.passes.flatMap((pass) => pass.nearMisses.map((miss) => ({ pass, miss })))
  if (summary) return <p className="empty">Each reason is shown once this link’s code has run here.</p>
  const open = misses.filter(({ miss }) => !miss.taken)
  const taken = misses.filter(({ miss }) => miss.taken)
  return (
    <>
      {open.length === 0 && (
        <p className="empty">
          {taken.length > 0
            ? 'Every place that a pattern came close to was matched by another pattern.'
            : 'Nothing came close without matching. A node’s own attempts are in the Node panel: select one on the canvas.'}
        </p>
      )}
      <MissList report={report} misses={open} label="Near misses" />
      {taken.length > 0 && (
        <details className="taken">
          <summary>{count(taken.length, 'near miss', 'near misses')} where another pattern matched</summary>
          <MissList report={report} misses={taken} label="Near misses where another pattern matched" />
        </details>
      )}
    </>
  )
}

interface PassMiss {
  pass: PassReport
  miss: NearMiss
}

function MissList({ report, misses, label }: { report: Report; misses: PassMiss[]; label: string }) {
  if (misses.length === 0) return null
  return (
    <ul className="misses" aria-label={label}>
      {misses.map(({ pass, miss }) => (
        <li key={`${pass.name}:${miss.index}`}>
          <Miss report={report} pass={pass} miss={miss} />
        </li>
      ))}
    </ul>
  )
}

function Miss({ report, pass, miss }: { report: Report; pass: PassReport; miss: NearMiss }) {
  const on = useView(
    (s) => s.selection?.kind === 'nearMiss' && s.selection.pass === pass.name && s.selection.index === miss.index,
  )
  const entry = pass.entries[miss.entry]
  const bindings = entry ? bindingsText(entry, pass.entries) : ''
  const m = miss.mismatch
  const selection = { kind: 'nearMiss', pass: pass.name, index: miss.index } as const
  return (
    <article className={`miss ${on ? 'selected' : ''}`}>
      <button
        className="miss-head"
        data-testid="near-miss"
        aria-pressed={on}
        onClick={() => useView.getState().select(selection)}
      >
        {entry && <PatternBadge mark={markOf(report, pass.name, entry.index)} hollow />}
        <span>
          <Sentence text={miss.sentence} />
        </span>
      </button>
      {entry && (
        <p className="muted miss-entry">
          {entry.title}
          {bindings && `: ${bindings}`}
        </p>
      )}
      {m && (m.expected !== null || m.found !== null) && (
        <table className="sides">
          <thead>
            <tr>
              <th scope="col">{m.argument ?? m.kind}</th>
              <th scope="col">Pattern</th>
              <th scope="col">Graph</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>{m.graphNode ? <NodeLink name={m.graphNode} /> : ''}</td>
              <td className="mono">{m.expected ?? '–'}</td>
              <td className="mono">{m.found ?? '–'}</td>
            </tr>
          </tbody>
        </table>
      )}
      {on && (
        <div className="miss-more">
          <p className="mono muted wrap">{miss.reason}</p>
          {entry && m?.patternNode != null && (
            <PatternLine
              text={entry.pattern.nodes[m.patternNode]?.source?.code ?? null}
              line={entry.pattern.nodes[m.patternNode]?.source?.line ?? null}
            />
          )}
          <p className="muted">
            {miss.anchors.length > 1 ? 'Anchors: ' : 'Anchor: '}
            {miss.anchors.slice(0, 12).map((a, i) => (
              <span key={a}>
                {i > 0 && ', '}
                <NodeLink name={a} />
              </span>
            ))}
            {miss.anchors.length > 12 && ` and ${miss.anchors.length - 12} more`}
          </p>
        </div>
      )}
    </article>
  )
}

function PatternLine({ text, line }: { text: string | null; line: number | null }) {
  if (!text) return null
  return (
    <pre className="wrap code-line">
      {line !== null && <span className="muted">{line} </span>}
      {text.trim()}
    </pre>
  )
}
