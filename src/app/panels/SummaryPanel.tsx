import type { ReportSummary } from '../../workspace/types'
import { count } from '../model/verdict'
import { Sentence } from './Notes'

/** The verdict that came with a link, shown before any of its code has run. */
export function SummaryPanel({ summary }: { summary: ReportSummary }) {
  return (
    <div className="matches" data-testid="match-list">
      <p className="muted pad">
        What the sender saw: {count(summary.nodesBefore, 'node')} before
        {summary.nodesAfter === null ? '' : `, ${summary.nodesAfter.toLocaleString('en-US')} after`}.
      </p>
      {summary.passes.map((p) => (
        <section key={p.name}>
          <header className="pass-row">
            <h2 className="mono ellipsis">{p.name}</h2>
            <span className="num">{count(p.count, 'match', 'matches')}</span>
          </header>
          <ul>
            {p.fired.map((f) => (
              <li key={f.entry} className="row plain">
                <span className="ellipsis">{f.title}</span>
                <span className="num">{f.count}</span>
              </li>
            ))}
          </ul>
          {p.entries > p.fired.length && (
            <p className="quiet-row muted">{count(p.entries - p.fired.length, 'pattern')} did not fire</p>
          )}
        </section>
      ))}
      {summary.notes.map((n) => (
        <p key={n} className="note">
          <Sentence text={n} />
        </p>
      ))}
    </div>
  )
}
