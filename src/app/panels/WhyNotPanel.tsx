/** Why what did not fire did not: what came closest first, the rest folded by cause. */
import type { Report } from '../../engine/protocol'
import { markOf } from '../model/report_index'
import { count } from '../model/verdict'
import { whyNot, type MissGroup, type WhyNot } from '../model/why_not'
import { useRun } from '../stores/run'
import { PatternBadge } from '../shell/PatternBadge'
import { MissView } from './MissView'
import { Sentence } from './Notes'

export function WhyNotPanel() {
  const report = useRun((s) => s.report)
  const summary = useRun((s) => s.summary)
  if (!report) return <p className="empty">Once the patterns have run, what came close and failed is explained here.</p>
  if (summary) return <p className="empty">Each reason is shown once this link’s code has run here.</p>
  const why = whyNot(report)
  const nothing = why.causes.length + why.close.length + why.further.length === 0
  return (
    <>
      <Causes report={report} causes={why.causes} />
      {nothing && (
        <p className={why.taken.length > 0 ? 'pad muted' : 'empty'}>
          {why.taken.length > 0
            ? 'Every place that a pattern came close to was matched by another pattern.'
            : 'Nothing came close without matching. A node’s own attempts are in the Node panel: select one on the canvas.'}
        </p>
      )}
      <MissList report={report} groups={why.close} label="Matched at first, then failed" />
      {why.further.length > 0 && (
        <>
          {why.close.length > 0 && <h3 className="misses-title">Further away</h3>}
          <MissList report={report} groups={why.further} label="Near misses" quiet={why.close.length > 0} />
        </>
      )}
      {why.taken.length > 0 && (
        <details className="taken">
          <summary>
            {count(
              why.taken.reduce((n, g) => n + g.misses.length, 0),
              'near miss',
              'near misses',
            )}{' '}
            where another pattern matched
          </summary>
          <MissList report={report} groups={why.taken} label="Near misses where another pattern matched" quiet />
        </details>
      )}
    </>
  )
}

export function Causes({ report, causes }: { report: Report; causes: WhyNot['causes'] }) {
  if (causes.length === 0) return null
  return (
    <ul className="misses" aria-label="Before any node is looked at">
      {causes.map(({ pass, entry, cause }, i) => (
        <li key={i} className="miss cause">
          {pass && entry && <PatternBadge mark={markOf(report, pass.name, entry.index)} hollow />}
          <span>
            <Sentence text={cause.sentence} />
          </span>
        </li>
      ))}
    </ul>
  )
}

interface ListProps {
  report: Report
  groups: MissGroup[]
  label: string
  quiet?: boolean
}

function MissList({ report, groups, label, quiet = false }: ListProps) {
  if (groups.length === 0) return null
  return (
    <ul className="misses" aria-label={label}>
      {groups.map((group) => (
        <li key={`${group.lead.pass.name}:${group.lead.miss.index}`}>
          <MissView report={report} group={group} quiet={quiet} />
        </li>
      ))}
    </ul>
  )
}
