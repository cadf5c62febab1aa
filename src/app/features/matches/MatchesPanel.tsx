/** pass → pattern → match. */
import { useState } from 'react'
import type { EntryReport, PassReport, Report } from '../../../engine/protocol'
import type { PipelineStage } from '../../../engine/pipeline/types'
import { count } from '../../../base/english'
import { bindingsText, nothingRuns, totalEdits } from '../../../engine/queries/report_text'
import { layerOf } from '../../fold/layer_of'
import { markOf, ownStages, positions } from '../../../engine/queries/report_index'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { PatternBadge } from '../../ui/PatternBadge'
import { pytorchCount } from '../../report/capture_verdict'
import { effectFigures } from '../../report/pipeline'
import { startPicking } from '../../on_screen/picked/picking'
import { StageEdits } from '../../on_screen/stage/StageEdits'
import { Violations } from '../../report/views/Violations'
import { EmptyState, Notice } from '../../ui/Messages'
import { css, cx } from '../../ui/css'
import { LinkButton } from '../../ui/Button'
import { LongList } from './LongList'
import { MatchNumbersList } from './MatchNumbersList'
import styles from './MatchesPanel.module.css'
import { FoldButton, Row, RowButton, RowMain } from '../../ui/Row'
import type { ReportSummary } from '../../../workspace/types'

export function MatchesPanel() {
  const report = useRun((s) => s.result.value)
  const summary = useRun((s) => s.result.sent)
  if (!report) return <EmptyState>Matches appear here once the patterns have run.</EmptyState>
  return (
    <div data-testid="match-list">
      {summary && <SenderSaw summary={summary} />}
      {!summary && !isRecorded(report) && (report.passes.some((p) => p.count > 0) || totalEdits(report) > 0) && (
        <MatchNumbersList />
      )}
      {report.passes.map((pass) => (
        <PassMatches key={pass.name} report={report} pass={pass} />
      ))}
      {ownStages(report).map((s) => s.did?.edits && <StageMatches key={s.name} report={report} stage={s} />)}
      {ranWithoutEdits(report) && (
        <EmptyState>
          <p>
            The code that takes the graph made no edits.{' '}
            <LinkButton onClick={() => useView.getState().setPanel('whynot')}>Why not</LinkButton>
          </p>
        </EmptyState>
      )}
      {!summary && nothingRuns(report) !== null && (
        <EmptyState>
          {/* EmptyState stacks its children, so a sentence must be one child. */}
          <p>
            Matches appear here once a pattern runs.{' '}
            {report.graph.nodes.length > 0 && (
              <>
                To make one from a part of the graph, <LinkButton onClick={startPicking}>pick its nodes</LinkButton>.
              </>
            )}
          </p>
        </EmptyState>
      )}
    </div>
  )
}

/** The recorded matches of a capture; nothing has run here. */
const isRecorded = ({ capture }: Report): boolean => capture !== undefined && !capture.edited

/** Code on the graph is all that ran, and it edited nothing. */
const ranWithoutEdits = (report: Report): boolean =>
  report.passes.length === 0 &&
  totalEdits(report) === 0 &&
  ownStages(report).some((s) => s.did) &&
  ownStages(report).every((s) => !s.did?.error)

/** The edits of code on the graph. */
function StageMatches({ report, stage }: { report: Report; stage: PipelineStage }) {
  return (
    <section aria-label={`Pass ${stage.name}`}>
      <header className={styles.pass}>
        <h2 className={cx(css.mono, css.ellipsis)}>{stage.name}</h2>
        <span className={css.num}>{effectFigures(stage.kind, stage.did!)}</span>
      </header>
      <StageEdits report={report} stage={stage} edits={stage.did!.edits!} />
    </section>
  )
}

function PassMatches({ report, pass }: { report: Report; pass: PassReport }) {
  const fired = pass.entries.filter((e) => e.fired > 0)
  const silent = pass.entries.length - fired.length
  return (
    <section aria-label={`Pass ${pass.name}`}>
      <header className={styles.pass}>
        <h2 className={cx(css.mono, css.ellipsis)} title={pass.passName ?? pass.name}>
          {pass.name}
        </h2>
        <span className={css.num}>{count(pass.count, 'match', 'matches')}</span>
        {pass.pytorch && (
          <span className={cx(css.num, css.muted)} data-testid="pytorch-count">
            PyTorch {pytorchCount(pass)}
          </span>
        )}
        {pass.unshaped && (
          <span className={cx(css.num, css.muted)} title="Places where all nodes align and the graph has no shapes">
            {count(new Set(pass.unshaped.map((p) => p.node)).size, 'place')} if the shapes allow
          </span>
        )}
      </header>
      {pass.applyError && <Notice tone="bad">{pass.applyError}</Notice>}
      <Violations report={report} pass={pass} />
      {fired.map((entry) => (
        <EntryMatches key={entry.index} report={report} pass={pass} entry={entry} />
      ))}
      {silent > 0 && (
        <LinkButton
          className={cx(css.block, css.small, css.pad)}
          onClick={() => useView.getState().setPanel('patterns')}
        >
          {count(silent, 'pattern')} did not fire
        </LinkButton>
      )}
    </section>
  )
}

/** A list with more matches than this is folded at first. */
const MANY = 8

function EntryMatches({ report, pass, entry }: { report: Report; pass: PassReport; entry: EntryReport }) {
  const selection = useView((s) => s.selection)
  const { select, setHover } = useView.getState()
  const mark = markOf(report, pass.name, entry.index)
  const matches = pass.matches.filter((m) => m.entry === entry.index)
  const selected = selection?.kind === 'entry' && selection.pass === pass.name && selection.index === entry.index
  const isSelected = (match: number): boolean =>
    selection?.kind === 'match' && selection.pass === pass.name && selection.index === match
  const bindings = bindingsText(entry, pass.entries)
  const [chosen, setChosen] = useState<boolean | null>(null)
  // For many equal rows, their number says more.
  const open = chosen ?? (matches.length <= MANY || matches.some((m) => isSelected(m.index)))
  return (
    <div>
      <Row className={styles.head} selected={selected}>
        <FoldButton
          open={open}
          label={open ? 'Fold the matches' : 'Show the matches'}
          onClick={() => setChosen(!open)}
        />
        <RowMain
          aria-pressed={selected}
          title={bindings ? `${entry.title}: ${bindings}` : entry.title}
          onClick={() => select({ kind: 'entry', pass: pass.name, index: entry.index })}
          onMouseEnter={() => setHover({ kind: 'entry', pass: pass.name, index: entry.index })}
          onMouseLeave={() => setHover(null)}
        >
          <PatternBadge mark={mark} />
          <span className={cx(css.ellipsis, css.grow)}>{entry.title}</span>
          <span className={css.num}>× {entry.fired}</span>
        </RowMain>
      </Row>
      {bindings && <p className={cx(css.muted, css.mono, styles.bindings)}>{bindings}</p>}
      {open && (
        <LongList
          label={`Matches of ${entry.title}`}
          items={matches}
          needed={matches.findIndex((m) => isSelected(m.index))}
          row={(m) => (
            <li key={m.index}>
              <RowButton
                indent
                selected={isSelected(m.index)}
                data-testid="match-item"
                aria-pressed={isSelected(m.index)}
                onClick={() => select({ kind: 'match', pass: pass.name, index: m.index })}
                onMouseEnter={() => setHover({ kind: 'match', pass: pass.name, index: m.index })}
                onMouseLeave={() => setHover(null)}
              >
                <span className={cx(css.num, css.muted)}>{m.index + 1}</span>
                <span className={cx(css.mono, css.ellipsis, css.grow)}>{m.node}</span>
                <span className={css.muted}>{layerOf(report.graph, positions(report.graph).get(m.node))}</span>
                <span className={cx(css.num, css.muted)}>{count(m.nodes.length, 'node')}</span>
              </RowButton>
            </li>
          )}
        />
      )}
    </div>
  )
}

/** Shows a recorded result, or the result stored in a link as the sender saw it. */
function SenderSaw({ summary }: { summary: ReportSummary }) {
  const whose = summary.recorded ? `Result that PyTorch ${summary.recorded} recorded` : 'Result that the sender saw'
  return (
    <section className={cx(css.pad, css.stack, css.ruled)} aria-label={whose}>
      <p className={css.muted}>
        {whose}: {count(summary.nodesBefore, 'node')} before
        {summary.nodesAfter === null ? '' : `, ${summary.nodesAfter.toLocaleString('en-US')} after`}.
      </p>
      {summary.notes.map((n) => (
        <p key={n}>{n}</p>
      ))}
    </section>
  )
}
