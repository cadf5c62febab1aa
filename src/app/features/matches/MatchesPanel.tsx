/** pass → pattern → match. If nothing fired, the reason comes first. */
import { useState } from 'react'
import type { EntryReport, PassReport, Report } from '../../../engine/protocol'
import { count } from '../../../base/english'
import { explanations, bindingsText, totalMatches, unshapedPlaces } from '../../session/report_text'
import { markOf } from '../../session/report_index'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { PatternBadge } from '../../ui/PatternBadge'
import { whyNot } from '../whynot/why_not'
import { useExplained } from '../whynot/explained'
import { plainText } from '../../../base/message'
import { MessageText } from '../../ui/MessageText'
import { runCommand } from '../../commands/types'
import { FIND_FUSIONS } from '../fusions/commands'
import { Apart, General } from '../whynot/WhyNotPanel'
import { NearMissCard } from '../whynot/NearMissCard'
import { pytorchCount } from '../capture/verdict_text'
import { SenderSaw } from '../share/SenderSaw'
import { Violations } from '../pipeline/Violations'
import { EmptyState, Notice } from '../../ui/Messages'
import { cx } from '../../ui/cx'
import { LinkButton } from '../../ui/Button'
import { LongList } from './LongList'
import missStyles from '../whynot/misses.module.css'
import css from '../../ui/text.module.css'
import styles from './MatchesPanel.module.css'
import { FoldButton, Row, RowButton, RowMain } from '../../ui/Row'

export function MatchesPanel() {
  const report = useRun((s) => s.report)
  const summary = useRun((s) => s.summary)
  if (!report) return <EmptyState>Matches appear here once the patterns have run.</EmptyState>
  return (
    <div data-testid="match-list">
      {summary && <SenderSaw summary={summary} />}
      {!summary && totalMatches(report) === 0 && <WhyNothing report={report} />}
      {report.passes.map((pass) => (
        <PassMatches key={pass.name} report={report} pass={pass} />
      ))}
      {!summary && report.passes.length === 0 && (
        <EmptyState>
          <span>
            No pass yet. Create one at module level, <code>patterns = PatternMatcherPass()</code>, and give it to{' '}
            <code>register_replacement</code>.
          </span>
          {report.graph.nodes.length > 0 && (
            <LinkButton onClick={() => runCommand(FIND_FUSIONS)}>What can be fused here?</LinkButton>
          )}
        </EmptyState>
      )}
    </div>
  )
}

/** The nearest miss in full, with a link to the others. */
function WhyNothing({ report }: { report: Report }) {
  const { report: explained, working } = useExplained()
  if (report.graph.nodes.length === 0)
    return (
      <section className={missStyles.whyNothing} aria-label="Why nothing matched">
        <h2>There is no graph to match.</h2>
        <p>Drop or paste the text of print(graph) or an fx_graph_readable.py.</p>
      </section>
    )
  // An older report in which something matched does not explain this one.
  const outdated = working && explained !== null && totalMatches(explained) > 0
  const why = explained && !outdated ? whyNot(explained) : null
  const first = why?.near[0]
  // Causes of whole patterns are more specific than a missing near miss.
  const apart = first ? [] : (why?.apart ?? [])
  const hasCauses = why !== null && (first !== undefined || why.general.length + apart.length > 0)
  const others = explained && why && !hasCauses ? explanations(explained) : []
  const places = unshapedPlaces(report)
  const rest = why ? why.near.length - (first ? 1 : 0) + why.apart.length - Math.min(3, apart.length) : 0
  return (
    <section className={missStyles.whyNothing} aria-label="Why nothing matched" aria-busy={working}>
      <h2>{places > 0 ? `Nothing matched yet: ${count(places, 'place')} if the shapes allow.` : 'Nothing matched.'}</h2>
      {!why && <p className={css.muted}>Searching for causes…</p>}
      {explained && why && <General report={explained} causes={why.general.slice(0, 3)} />}
      {explained && first && <NearMissCard report={explained} group={first} first />}
      {explained && <Apart report={explained} causes={apart.slice(0, 3)} folded={false} />}
      {others.slice(0, 3).map((n) => (
        <p key={plainText(n)}>
          <MessageText message={n} graph={report.graph} />
        </p>
      ))}
      {rest > 0 && (
        <LinkButton onClick={() => useView.getState().setPanel('whynot')}>{count(rest, 'other reason')}</LinkButton>
      )}
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
        <LinkButton className={styles.quiet} onClick={() => useView.getState().setPanel('patterns')}>
          {count(silent, 'pattern')} did not fire
        </LinkButton>
      )}
    </section>
  )
}

function EntryMatches({ report, pass, entry }: { report: Report; pass: PassReport; entry: EntryReport }) {
  const [open, setOpen] = useState(true)
  const selection = useView((s) => s.selection)
  const { select, setHover } = useView.getState()
  const mark = markOf(report, pass.name, entry.index)
  const matches = pass.matches.filter((m) => m.entry === entry.index)
  const selected = selection?.kind === 'entry' && selection.pass === pass.name && selection.index === entry.index
  const isSelected = (match: number): boolean =>
    selection?.kind === 'match' && selection.pass === pass.name && selection.index === match
  const bindings = bindingsText(entry, pass.entries)
  return (
    <div>
      <Row className={styles.head} selected={selected}>
        <FoldButton open={open} label={open ? 'Fold the matches' : 'Show the matches'} onClick={() => setOpen(!open)} />
        <RowMain
          aria-pressed={selected}
          title={bindings ? `${entry.title}: ${bindings}` : entry.title}
          onClick={() => select({ kind: 'entry', pass: pass.name, index: entry.index })}
          onMouseEnter={() => setHover({ kind: 'entry', pass: pass.name, index: entry.index })}
          onMouseLeave={() => setHover(null)}
        >
          <PatternBadge mark={mark} />
          <span className={cx(css.ellipsis, css.grow)}>{entry.title}</span>
          <span className={css.num}>{entry.fired}</span>
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
                <span className={cx(css.num, css.muted)}>{count(m.nodes.length, 'node')}</span>
              </RowButton>
            </li>
          )}
        />
      )}
    </div>
  )
}
