/** A registration and its siblings: differences, common parts, order. */
import { differenceText } from '../../../engine/pipeline/graph_diff'
import type { EntryReport, PassReport, Report } from '../../../engine/protocol'
import { entryKey, markOf, passNamed } from '../../../engine/queries/report_index'
import { axisFacts, effectSentence, neighborsOf, sharingInitial, type Neighbor } from './siblings'
import { variantLabel } from '../../report/variant_label'
import { count } from '../../../base/english'
import { useView } from '../../session/view_store'
import { PatternBadge } from '../../ui/PatternBadge'
import { Notice } from '../../ui/Messages'
import { SectionTitle } from '../../ui/Section'
import { LinkButton } from '../../ui/Button'
import styles from './LeafSiblings.module.css'
import { css } from '../../ui/css'

interface Props {
  report: Report
  pass: PassReport
  entry: EntryReport
}

/** Maximum number of differences per sibling; the comparison lists all. */
const TOLD = 3

export function LeafSiblings({ report, pass, entry }: Props) {
  const neighbors = neighborsOf(pass, entry)
  const sharing = sharingInitial(pass, entry)
  const odd = axisFacts(pass, entry.title).flatMap((a) => effectSentence(a) ?? [])
  const duplicate = pass.duplicates?.find((d) => d.entry === entry.index)
  const later = report.passes.flatMap((p) =>
    (p.duplicates ?? []).flatMap((d) =>
      d.first.pass === pass.name && d.first.entry === entry.index ? [{ pass: p, index: d.entry }] : [],
    ),
  )
  if (neighbors.length + sharing.length + later.length === 0 && !duplicate) return null
  return (
    <section aria-label="Siblings" data-testid="leaf-siblings">
      {duplicate && (
        <Notice tone="warn" data-testid="leaf-duplicate">
          In stage two, with constants and shapes, this pattern is the same as{' '}
          <LeafLink report={report} pass={duplicate.first.pass} entry={duplicate.first.entry} />, which is tried first:
          where both match, this one never fires.
        </Notice>
      )}
      {later.length > 0 && (
        <Notice>
          The same pattern is registered again as{' '}
          {later.map((l) => (
            <LeafLink key={entryKey(l.pass.name, l.index)} report={report} pass={l.pass.name} entry={l.index} />
          ))}
          . This one is tried first.
        </Notice>
      )}
      {neighbors.length > 0 && (
        <>
          <SectionTitle as="h4">Differences</SectionTitle>
          <ul className={styles.neighbors}>
            {neighbors.map((n) => (
              <NeighborRow key={n.axis} report={report} pass={pass} neighbor={n} />
            ))}
          </ul>
        </>
      )}
      <SectionTitle as="h4">Shared</SectionTitle>
      <p>
        {sharing.length === 0
          ? 'No other pattern of this pass has the same initial pattern.'
          : `${count(sharing.length, 'other has', 'others have')} its initial pattern, in which numbers are wildcards; stage two distinguishes them: `}
        {sharing.map((e) => (
          <LeafLink key={e.index} report={report} pass={pass.name} entry={e.index} />
        ))}
      </p>
      {odd.map((sentence) => (
        <Notice key={sentence} tone="warn" data-testid="axis-effect">
          {sentence}
        </Notice>
      ))}
    </section>
  )
}

function NeighborRow({ report, pass, neighbor }: { report: Report; pass: PassReport; neighbor: Neighbor }) {
  const { axis, entry, pattern, replacement } = neighbor
  const more = pattern.length - TOLD
  return (
    <li>
      <p>
        <LeafLink report={report} pass={pass.name} entry={entry.index} bare /> with{' '}
        <span className={css.mono}>
          {axis} = {entry.bindings[axis] ?? 'nothing'}
        </span>
      </p>
      <ul className={css.mono}>
        {pattern.slice(0, TOLD).map((d, i) => (
          <li key={i}>{differenceText(d)}</li>
        ))}
      </ul>
      {pattern.length === 0 && <p className={css.muted}>Nothing in the pattern.</p>}
      {more > 0 && <p className={css.muted}>and {count(more, 'more difference')}</p>}
      {replacement?.length === 0 && <p className={css.muted}>The replacement is the same.</p>}
    </li>
  )
}

/** @param bare shows the badge alone; the text beside it names the pattern */
function LeafLink({ report, pass, entry, bare }: { report: Report; pass: string; entry: number; bare?: boolean }) {
  const of = passNamed(report, pass)
  const found = of?.entries.find((e) => e.index === entry)
  if (!of || !found) return null
  const mark = markOf(report, pass, entry)
  const label = variantLabel(of, found) || found.title
  return (
    <LinkButton
      className={styles.leaf}
      aria-label={`Pattern ${mark.letter}: ${label}`}
      onClick={() => useView.getState().select({ kind: 'entry', pass, index: entry })}
    >
      <PatternBadge mark={mark} hollow={found.fired === 0} /> {!bare && label}
    </LinkButton>
  )
}
