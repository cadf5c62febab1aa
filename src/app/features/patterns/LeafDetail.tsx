/** One registration: what it was made with, its pattern as text and as a graph, its replacement. */
import type { EntryReport, PassReport, Report } from '../../../engine/protocol'
import { fileOf } from '../../session/highlight'
import { markOf } from '../../session/report_index'
import { count } from '../../../base/english'
import { useHoverHighlight, useSelectionHighlight } from '../../session/highlights'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { PatternBadge } from '../../ui/PatternBadge'
import { MiniGraph } from './MiniGraph'
import { LeafSiblings } from './LeafSiblings'
import { NearestMiss } from './NearestMiss'
import { LeafVerdictLine } from '../run/LeafVerdictLine'
import { Doubts } from '../whynot/Doubts'

interface Props {
  report: Report
  pass: PassReport
  entry: EntryReport
  pinned: boolean
  pin(): void
}

export function LeafDetail({ report, pass, entry, pinned, pin }: Props) {
  const selected = useSelectionHighlight()
  const hovered = useHoverHighlight()
  const workspace = useWorkspace((s) => s.workspace)
  const selection = useView((s) => s.selection)
  const { select, setHover } = useView.getState()
  // A whole entry or match selects every node of its pattern: nothing to single out.
  const marked = selection?.kind === 'entry' || selection?.kind === 'match' ? undefined : selected.patternNodes
  const patternNode = (index: number) => ({ kind: 'patternNode', pass: pass.name, entry: entry.index, index }) as const
  const source = entry.source
  return (
    <section className="leaf" aria-label={`Pattern ${entry.title}`}>
      <header className="leaf-head">
        <PatternBadge mark={markOf(report, pass.name, entry.index)} hollow={entry.fired === 0} />
        <h3 className="ellipsis">{entry.title}</h3>
        <span className="num">{entry.fired > 0 ? `fired ${count(entry.fired, 'time')}` : 'did not fire'}</span>
        <button
          className="btn"
          aria-pressed={pinned}
          title="Keep this one and choose another pattern to see only what differs"
          onClick={pin}
        >
          {pinned ? 'Choose the other' : 'Compare'}
        </button>
      </header>
      <LeafVerdictLine pass={pass.name} entry={entry.index} />
      {Object.keys(entry.bindings).length > 0 && (
        <dl className="facts">
          {Object.entries(entry.bindings).map(([k, v]) => (
            <div key={k}>
              <dt>{k}</dt>
              <dd className="mono">{v}</dd>
            </div>
          ))}
        </dl>
      )}
      {source && (
        <p>
          <button
            className="link mono"
            onClick={() => {
              const file = fileOf(workspace, source.file)
              useWorkspace.getState().open(file)
              select({ kind: 'line', file, line: source.line })
            }}
          >
            {fileOf(workspace, source.file)}:{source.line}
          </button>
        </p>
      )}
      <Doubts
        report={report}
        doubts={(pass.lints ?? []).filter((l) => l.entry === entry.index).map((lint) => ({ pass, entry, lint }))}
        bare
      />
      <NearestMiss report={report} pass={pass} entry={entry} />
      <LeafSiblings report={report} pass={pass} entry={entry} />
      <h4 className="section-title">Pattern</h4>
      <MiniGraph
        graph={entry.pattern}
        label={`Graph of the pattern ${entry.title}`}
        selected={marked}
        hovered={hovered.entry?.entry === entry ? hovered.patternNodes : undefined}
        onSelect={(i) => select(patternNode(i))}
        onHover={(i) => setHover(i === null ? null : patternNode(i))}
      />
      <h4 className="section-title">Replacement</h4>
      {entry.replacement ? (
        <MiniGraph graph={entry.replacement} label={`Graph of the replacement of ${entry.title}`} />
      ) : (
        <p className="notice warn">{entry.replacementError ?? 'The replacement is traced when the pattern fires.'}</p>
      )}
      <details open>
        <summary className="section-title">As PatternPrettyPrinter prints it</summary>
        <pre className="pattern-text">{entry.text}</pre>
      </details>
    </section>
  )
}
