/**
 * The registrations, as a tree or as a table by graph; below it, one leaf in detail or two leaves compared. The Explain view shows
 * one pattern in words.
 */
import { useState } from 'react'
import type { EntryReport, PassReport, Report } from '../../../engine/protocol'
import { passNamed } from '../../../engine/queries/report_index'
import { useSelectionHighlight } from '../../on_screen/use_highlight'
import { usePatterns } from './store'
import { useRun } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'
import { CompareLeaves } from './CompareLeaves'
import { ExplainView } from './explain/ExplainView'
import { EnvironmentSection } from '../environment/EnvironmentSection'
import { LeafDetail } from './LeafDetail'
import { GraphMatrix } from './GraphMatrix'
import { RegistrationTree } from './RegistrationTree'
import { EmptyState } from '../../ui/Messages'
import { Button } from '../../ui/Button'
import styles from './PatternsPanel.module.css'
import { css } from '../../ui/css'

export function PatternsPanel() {
  const report = useRun((s) => s.result.value)
  const summary = useRun((s) => s.result.sent)
  const several = useWorkspace((s) => s.workspace.graphs !== undefined)
  const show = usePatterns((s) => s.show)
  if (!report) return <EmptyState>The patterns that your code registers appear here as a tree.</EmptyState>
  if (summary) return <EmptyState>The tree of patterns appears after the code of this link has run here.</EmptyState>
  return (
    <>
      <EnvironmentSection report={report} />
      {report.tree.length === 0 ? (
        <EmptyState>No pattern was registered. Call register_replacement with a PatternMatcherPass.</EmptyState>
      ) : (
        <div className={css.column}>
          <ShowSwitch several={several} />
          {show === 'explain' ? (
            <ExplainView report={report} />
          ) : (
            <>
              {several && show === 'graphs' ? <GraphMatrix report={report} /> : <RegistrationTree report={report} />}
              <Leaf report={report} />
            </>
          )}
        </div>
      )}
    </>
  )
}

const LABELS = { tree: 'Tree', graphs: 'By graphs', explain: 'Explain' } as const

function ShowSwitch({ several }: { several: boolean }) {
  const show = usePatterns((s) => s.show)
  return (
    <div className={styles.show} role="group" aria-label="View of the patterns">
      {(several ? (['tree', 'graphs', 'explain'] as const) : (['tree', 'explain'] as const)).map((kind) => (
        <Button
          key={kind}
          variant="quiet"
          aria-pressed={show === kind}
          data-testid={`patterns-${kind}`}
          onClick={() => usePatterns.setState({ show: kind })}
        >
          {LABELS[kind]}
        </Button>
      ))}
    </div>
  )
}

function Leaf({ report }: { report: Report }) {
  const [pinned, setPinned] = useState<{ pass: string; entry: number } | null>(null)
  const chosen = useSelectionHighlight().entry
  const other = pinned && entryAt(report, pinned.pass, pinned.entry)
  if (!chosen) return <EmptyState>Choose a pattern to see its graph and its replacement.</EmptyState>
  if (other && other.entry !== chosen.entry)
    return <CompareLeaves report={report} left={other} right={chosen} close={() => setPinned(null)} />
  return (
    <LeafDetail
      report={report}
      pass={chosen.pass}
      entry={chosen.entry}
      pinned={other !== null}
      pin={() => setPinned(other ? null : { pass: chosen.pass.name, entry: chosen.entry.index })}
    />
  )
}

function entryAt(report: Report, pass: string, index: number): { pass: PassReport; entry: EntryReport } | null {
  const p = passNamed(report, pass)
  const entry = p?.entries.find((e) => e.index === index)
  return p && entry ? { pass: p, entry } : null
}
