/** The Why not panel: the nearest miss of each pattern, then the other near misses, folded. */
import { useState } from 'react'
import { runById } from '../../commands/registry'
import type { Report } from '../../../engine/protocol'
import type { ReportSummary, Workspace } from '../../../workspace/types'
import { markOf, ownStages } from '../../../engine/queries/report_index'
import { count } from '../../../base/english'
import {
  arrange,
  whyNot,
  type PassCause,
  type NearMissGroup,
  type NearMissOrder,
} from '../../../engine/queries/why_not'
import { useExplained } from '../../on_screen/explained'
import { CaptureVerdict } from '../../report/views/CaptureVerdict'
import { RecordHint } from '../capture/RecordHint'
import { usePasteOutput } from '../paste_output/store'
import { useRun } from '../../session/run_store'
import { PatternBadge } from '../../ui/PatternBadge'
import { PasteOutput } from '../paste_output/PasteOutput'
import { CauseSentence } from './CauseView'
import { Lints } from '../../report/views/Lints'
import { FixCards } from './FixCard'
import { setHeld, useHeld } from '../../on_screen/held'
import { usePin } from '../../on_screen/pin_store'
import { PinSection } from './PinSection'
import { SourceLink } from '../../ui/SourceLink'
import { NearMissCard } from './NearMissCard'
import { StubNotice } from './StubNotice'
import { CodeBesidePatterns, WithoutPatterns } from './WithoutPatterns'
import { StageViolations, Violations } from '../../report/views/Violations'
import { EmptyState } from '../../ui/Messages'
import { Button, LinkButton } from '../../ui/Button'
import { Input, Select } from '../../ui/Field'
import { css, cx } from '../../ui/css'
import styles from './WhyNotPanel.module.css'
import missStyles from '../../report/views/misses.module.css'

/** Fewer groups than this need no filter. */
const LONG = 5

export function WhyNotPanel() {
  const hasReport = useRun((s) => s.result.value !== null)
  const summary = useRun((s) => s.result.sent)
  const pasting = usePasteOutput((s) => s.open)
  const held = useHeld((s) => s.held)
  const failed = useRun((s) => s.outcome.value.python !== null)
  const { report, working } = useExplained()
  if (held) return <Held />
  if (!hasReport) return <EmptyState>Near misses are explained here after the patterns have run.</EmptyState>
  if (summary) return <FromSender summary={summary} />
  if (pasting) return <PasteOutput />
  return (
    <div className={styles.whynot} aria-busy={working}>
      <PinSection />
      <Early />
      {failed && report && <p className={cx(css.pad, css.muted)}>Below: the last text that ran without an error.</p>}
      {report ? (
        <Explained report={report} />
      ) : (
        <EmptyState>{failed ? 'This code has not run without an error yet.' : 'Searching for causes…'}</EmptyState>
      )}
      <p className={styles.end}>
        <LinkButton onClick={() => runById('paste-output')}>Paste PyTorch’s own output</LinkButton>{' '}
        <span className={css.muted}>to find its lines on the graph.</span>
      </p>
      <p className={styles.record}>
        <RecordHint />
      </p>
    </div>
  )
}

/** An exercise is open, and the user has not tried anything yet. */
function Held() {
  return (
    <EmptyState>
      The causes appear after your first attempt at the exercise.{' '}
      <LinkButton onClick={() => setHeld(false)}>Show it now</LinkButton>
    </EmptyState>
  )
}

/** The near misses of a link, as its sender saw them, or of a recording. */
function FromSender({ summary }: { summary: ReportSummary }) {
  const { report } = useExplained()
  const leftOut = summary.passes.reduce((n, p) => n + (p.nearMissesLeftOut ?? 0), 0)
  const carried = report?.passes.some((p) => p.nearMisses.length > 0)
  const pinned = usePin((s) => s.pin !== null)
  if (!report || !(carried || pinned))
    return (
      <EmptyState>
        {summary.recorded
          ? 'PyTorch recorded no near miss.'
          : 'Causes appear after the code of this link has run here.'}
      </EmptyState>
    )
  const { near, further } = whyNot(report)
  return (
    <div className={styles.whynot}>
      <PinSection />
      <p className={cx(styles.head, css.muted)} role="status">
        {summary.recorded
          ? `What PyTorch ${summary.recorded} recorded; Fusescope has not compared it here.`
          : 'The sender’s result; it has not been checked here.'}
        {leftOut > 0 && ` ${count(leftOut, 'other near miss is', 'other near misses are')} left out.`}
      </p>
      <NearMissGroups
        report={report}
        groups={[...near, ...further]}
        label={summary.recorded ? 'Near misses that PyTorch recorded' : 'Near misses that the sender saw'}
        firstOpen
      />
    </div>
  )
}

function Explained({ report }: { report: Report }) {
  const [query, setQuery] = useState('')
  const [order, setOrder] = useState<NearMissOrder>('near')
  const why = whyNot(report)
  const long = why.near.length >= LONG
  const near = long ? arrange(report, why.near, query, order) : why.near
  return (
    <>
      <CaptureVerdict report={report} />
      <StubNotice report={report} />
      <General report={report} causes={why.general} />
      {long && (
        <div className={styles.tools}>
          <Input
            type="search"
            className={css.grow}
            aria-label="Filter the near misses"
            placeholder="Filter by pattern, node or cause"
            value={query}
            onValue={setQuery}
          />
          <Select
            aria-label="Order of the near misses"
            value={order}
            onValue={(value) => setOrder(value as NearMissOrder)}
          >
            <option value="near">Nearest first</option>
            <option value="places">Most anchors first</option>
            <option value="pattern">By pattern</option>
          </Select>
        </div>
      )}
      {long && near.length === 0 && <EmptyState>No near miss matches “{query.trim()}”.</EmptyState>}
      {why.general.length === 0 && report.passes.length === 0 && <WithoutPatterns report={report} />}
      <NearMissGroups report={report} groups={near} label="Nearest misses" firstOpen />
      <CodeBesidePatterns report={report} />
      <Apart report={report} causes={why.apart} folded={why.near.length > 0} />
      <Fold report={report} groups={why.further} what={['other place', 'other places']} after="farther away" />
      <Fold
        report={report}
        groups={why.taken}
        what={['near miss', 'near misses']}
        after="where another pattern matched"
      />
      {report.passes.map((pass) => (
        <Violations key={pass.name} report={report} pass={pass} />
      ))}
      {ownStages(report).map((stage) => (
        <StageViolations key={stage.name} stage={stage} />
      ))}
      <Lints report={report} lints={why.lints} more={({ fixes }) => <FixCards report={report} fixes={fixes} />} />
      <LeftOut report={report} />
    </>
  )
}

/** Parts skipped by the time budget, listed so that a missing result is visible. */
function LeftOut({ report }: { report: Report }) {
  const left = report.passes.flatMap((p) => (p.leftOut === undefined ? [] : [{ pass: p.name, text: p.leftOut }]))
  if (left.length === 0) return null
  const several = report.passes.length > 1
  return (
    <p className={cx(styles.end, css.muted)}>
      {left.map((l) => `${several ? `${l.pass}: ` : ''}${l.text[0]!.toUpperCase()}${l.text.slice(1)}.`).join(' ')}
    </p>
  )
}

interface ListProps {
  report: Report
  groups: readonly NearMissGroup[]
  label: string
  firstOpen?: boolean
}

function NearMissGroups({ report, groups, label, firstOpen = false }: ListProps) {
  if (groups.length === 0) return null
  return (
    <ul className={missStyles.misses} aria-label={label}>
      {groups.map((v, i) => (
        <li key={v.key}>
          <NearMissCard report={report} group={v} first={firstOpen && i === 0} />
        </li>
      ))}
    </ul>
  )
}

interface FoldProps {
  report: Report
  groups: readonly NearMissGroup[]
  what: [string, string]
  after: string
}

function Fold({ report, groups, what, after }: FoldProps) {
  if (groups.length === 0) return null
  const total = groups.reduce((n, v) => n + v.misses.length, 0)
  return (
    <details className={missStyles.taken}>
      <summary>
        {count(total, ...what)} {after}
      </summary>
      <NearMissGroups report={report} groups={groups} label={`${what[1]} ${after}`} />
    </details>
  )
}

/** Why the current text registers nothing; the list below belongs to the last text that registered patterns. */
function Early() {
  const { value, source } = useRun((s) => s.outcome)
  const report = useRun((s) => s.result.value)
  if (!value.early || !report) return null
  const causes = value.early.map((cause) => ({ pass: null, entry: null, cause, index: null }))
  return (
    <section data-early aria-label="Why nothing was registered" data-testid="early-causes">
      <header className={styles.head}>
        <h2 className={css.large}>The patterns could not be registered.</h2>
      </header>
      <General report={report} causes={causes} madeFrom={source} />
    </section>
  )
}

interface CausesProps {
  report: Report
  causes: readonly PassCause[]
  madeFrom?: Workspace | null
}

/** Causes found before any attempt. */
export const General = (props: CausesProps) => <Causes general label="Before any attempt" {...props} />

/** Causes without an attempt: of single patterns, or general causes. */
function Causes({ report, causes, madeFrom, general, label }: CausesProps & { general?: boolean; label: string }) {
  if (causes.length === 0) return null
  return (
    <ul className={missStyles.misses} aria-label={label}>
      {causes.map(({ pass, entry, cause }, i) => (
        <li key={i} className={missStyles.miss} data-testid="pass-cause">
          {!general && pass && entry && <PatternBadge mark={markOf(report, pass.name, entry.index)} hollow />}
          <CauseSentence report={report} cause={cause} strong={general} />
          {cause.source && <SourceLink source={cause.source} />}
          {cause.kind === 'graph-level' && <Button onClick={() => runById('graph-lower')}>Lower the graph</Button>}
          <FixCards report={report} fixes={cause.fixes} madeFrom={madeFrom} />
        </li>
      ))}
    </ul>
  )
}

/** Causes that apply to whole patterns: never tried, or unable to fire. */
export function Apart({ report, causes, folded }: { report: Report; causes: readonly PassCause[]; folded: boolean }) {
  if (causes.length === 0) return null
  const list = <Causes report={report} causes={causes} label="Patterns that cannot fire here" />
  if (!folded && causes.length < 4) return list
  return (
    <details className={missStyles.taken} open={!folded}>
      <summary>{count(causes.length, 'pattern')} that cannot fire on this graph</summary>
      {list}
    </details>
  )
}
