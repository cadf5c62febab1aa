/** The differences between two registrations. */
import { diffGraphs, type Difference } from '../../../engine/pipeline/graph_diff'
import type { EntryReport, PassReport, Report } from '../../../engine/protocol'
import { diffEntries, splitPair, type LineParts } from '../../report/entry_diff'
import { markOf } from '../../../engine/queries/report_index'
import { PatternBadge } from '../../ui/PatternBadge'
import { Button } from '../../ui/Button'
import { Table } from '../../ui/Table'
import { SectionTitle } from '../../ui/Section'
import { css } from '../../ui/css'
import leafDetailStyles from './LeafDetail.module.css'
import styles from './CompareLeaves.module.css'

type EntryDiff = ReturnType<typeof diffEntries>
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
  return (
    <section className={css.padWide} aria-label="Two patterns compared">
      <header className={leafDetailStyles.head}>
        <h3 className={css.ellipsis}>What differs</h3>
        <Button onClick={close}>Done</Button>
      </header>
      <Bindings report={report} left={left} right={right} bindings={diff.bindings} />
      <SectionTitle as="h4">Pattern, as traced</SectionTitle>
      <Differences found={diffGraphs(left.entry.pattern, right.entry.pattern)} />
      <SectionTitle as="h4">Replacement, as traced</SectionTitle>
      {left.entry.replacement && right.entry.replacement ? (
        <Differences found={diffGraphs(left.entry.replacement, right.entry.replacement)} />
      ) : (
        <p className={css.muted}>One of the two patterns has no replacement.</p>
      )}
      <SectionTitle as="h4">Initial pattern</SectionTitle>
      <InitialPatternLines lines={diff.lines} />
    </section>
  )
}

interface BindingsProps {
  report: Report
  left: Leaf
  right: Leaf
  bindings: EntryDiff['bindings']
}

function Bindings({ report, left, right, bindings }: BindingsProps) {
  return (
    <Table className={styles.compare} variant="grid">
      <thead>
        <tr>
          <th scope="col" />
          <th scope="col">
            <LeafHead report={report} leaf={left} />
          </th>
          <th scope="col">
            <LeafHead report={report} leaf={right} />
          </th>
        </tr>
      </thead>
      <tbody>
        {bindings.map((b) => (
          <tr key={b.name}>
            <th scope="row" className={css.mono}>
              {b.name}
            </th>
            <td className={css.mono}>{b.left ?? '–'}</td>
            <td className={css.mono}>{b.right ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function LeafHead({ report, leaf }: { report: Report; leaf: Leaf }) {
  return (
    <>
      <PatternBadge mark={markOf(report, leaf.pass.name, leaf.entry.index)} hollow={leaf.entry.fired === 0} />
      <span className={css.num}>{leaf.entry.fired > 0 ? `fired ${leaf.entry.fired}×` : 'did not fire'}</span>
    </>
  )
}

/** Differing lines of the initial patterns. */
function InitialPatternLines({ lines }: { lines: EntryDiff['lines'] }) {
  if (lines.length === 0)
    return (
      <p className={css.muted}>
        Equal: numbers are wildcards in stage one. Stage two, with the matched shapes, distinguishes them.
      </p>
    )
  return (
    <>
      {lines.map((l, i) => {
        const parts = splitPair(l.left ?? '', l.right ?? '')
        return (
          <div key={i} className={styles.pair}>
            {l.left !== null && <DiffLine side="left" parts={parts.left} />}
            {l.right !== null && <DiffLine side="right" parts={parts.right} />}
          </div>
        )
      })}
    </>
  )
}

function Differences({ found }: { found: readonly Difference[] }) {
  if (found.length === 0) return <p className={css.muted}>The same.</p>
  return (
    <Table className={styles.compare} variant="grid" data-testid="differences">
      <tbody>
        {found.map((d, i) => (
          <tr key={i}>
            <th scope="row" className={css.mono}>
              {d.kind === 'argument' ? d.name : d.target}
              {d.kind === 'argument' && <span className={styles.target}>{d.target}</span>}
            </th>
            <td className={css.mono}>{d.kind === 'argument' ? (d.left ?? '–') : d.side === 'left' ? 'here' : '–'}</td>
            <td className={css.mono}>{d.kind === 'argument' ? (d.right ?? '–') : d.side === 'right' ? 'here' : '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** Number of equal characters kept on each side of a difference. */
const AROUND = 60

function DiffLine({ side, parts }: { side: 'left' | 'right'; parts: LineParts }) {
  const { before, changed, after } = parts
  return (
    <pre className={css.wrap} data-side={side}>
      <span aria-hidden="true">{side === 'left' ? '− ' : '+ '}</span>
      {before.length > AROUND ? `…${before.slice(-AROUND)}` : before}
      <mark>{changed}</mark>
      {after.length > AROUND ? `${after.slice(0, AROUND)}…` : after}
    </pre>
  )
}
