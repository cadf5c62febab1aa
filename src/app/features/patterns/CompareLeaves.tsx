/** Two registrations, and only what differs between them. */
import { diffGraphs, type Difference } from '../../../engine/pipeline/graph_diff'
import type { EntryReport, PassReport, Report } from '../../../engine/protocol'
import { diffEntries, splitPair, type LineParts } from './diff'
import { markOf } from '../../session/report_index'
import { PatternBadge } from '../../ui/PatternBadge'

type Leaf = { pass: PassReport; entry: EntryReport }

export function CompareLeaves({
  report,
  left,
  right,
  close,
}: {
  report: Report
  left: Leaf
  right: Leaf
  close(): void
}) {
  const diff = diffEntries(left.entry, right.entry)
  const head = (l: Leaf) => (
    <>
      <PatternBadge mark={markOf(report, l.pass.name, l.entry.index)} hollow={l.entry.fired === 0} />
      <span className="num">{l.entry.fired > 0 ? `fired ${l.entry.fired}×` : 'did not fire'}</span>
    </>
  )
  return (
    <section className="leaf" aria-label="Two patterns compared">
      <header className="leaf-head">
        <h3 className="ellipsis">What differs</h3>
        <button className="btn" onClick={close}>
          Done
        </button>
      </header>
      <table className="sides compare">
        <thead>
          <tr>
            <th scope="col" />
            <th scope="col">{head(left)}</th>
            <th scope="col">{head(right)}</th>
          </tr>
        </thead>
        <tbody>
          {diff.bindings.map((b) => (
            <tr key={b.name}>
              <th scope="row" className="mono">
                {b.name}
              </th>
              <td className="mono">{b.left ?? '–'}</td>
              <td className="mono">{b.right ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h4 className="section-title">Pattern, as traced</h4>
      <Differences found={diffGraphs(left.entry.pattern, right.entry.pattern)} />
      <h4 className="section-title">Replacement, as traced</h4>
      {left.entry.replacement && right.entry.replacement ? (
        <Differences found={diffGraphs(left.entry.replacement, right.entry.replacement)} />
      ) : (
        <p className="muted">One of the two has no replacement to compare.</p>
      )}
      <h4 className="section-title">Initial pattern</h4>
      {diff.lines.length === 0 ? (
        <p className="muted">
          The same: numbers are wildcards in it. The second stage, with the matched shapes, tells the two apart.
        </p>
      ) : (
        diff.lines.map((l, i) => {
          const parts = splitPair(l.left ?? '', l.right ?? '')
          return (
            <div key={i} className="diff-pair">
              {l.left !== null && <DiffLine side="left" parts={parts.left} />}
              {l.right !== null && <DiffLine side="right" parts={parts.right} />}
            </div>
          )
        })
      )}
    </section>
  )
}

function Differences({ found }: { found: readonly Difference[] }) {
  if (found.length === 0) return <p className="muted">The same.</p>
  return (
    <table className="sides compare" data-testid="differences">
      <tbody>
        {found.map((d, i) => (
          <tr key={i}>
            <th scope="row" className="mono">
              {d.kind === 'argument' ? d.name : d.target}
              {d.kind === 'argument' && <span className="of">{d.target}</span>}
            </th>
            <td className="mono">{d.kind === 'argument' ? (d.left ?? '–') : d.side === 'left' ? 'here' : '–'}</td>
            <td className="mono">{d.kind === 'argument' ? (d.right ?? '–') : d.side === 'right' ? 'here' : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Characters kept on each side of what differs; the rest is on both lines alike. */
const AROUND = 60

function DiffLine({ side, parts }: { side: 'left' | 'right'; parts: LineParts }) {
  const { before, changed, after } = parts
  return (
    <pre className={`wrap ${side}`}>
      <span aria-hidden="true">{side === 'left' ? '− ' : '+ '}</span>
      {before.length > AROUND ? `…${before.slice(-AROUND)}` : before}
      <mark>{changed}</mark>
      {after.length > AROUND ? `${after.slice(0, AROUND)}…` : after}
    </pre>
  )
}
