/** The right column: one panel of eight, and what is selected below it. */
import type { PanelId } from '../../workspace/types'
import { totalMatches } from '../session/verdict'
import { whyNot } from '../features/whynot/why_not'
import { testFailed } from '../../engine/cases/unit_tests'
import { useExplained } from '../features/whynot/explained'
import { useRun } from '../session/run_store'
import { useView } from '../session/view_store'
import { Guard } from '../ui/Guard'
import { ConsolePanel } from '../features/console/ConsolePanel'
import { MatchesPanel } from '../features/matches/MatchesPanel'
import { NodePanel } from '../features/node/NodePanel'
import { PatternsPanel } from '../features/patterns/PatternsPanel'
import { PipelinePanel } from '../features/pipeline/PipelinePanel'
import { RunPanel } from '../features/run/RunPanel'
import { SelectionStrip } from '../features/node/SelectionStrip'
import { StepsPanel } from '../features/steps/StepsPanel'
import { WhyNotPanel } from '../features/whynot/WhyNotPanel'
import './panels.css'

const PANELS: { id: PanelId; label: string }[] = [
  { id: 'matches', label: 'Matches' },
  { id: 'whynot', label: 'Why not' },
  { id: 'steps', label: 'Steps' },
  { id: 'patterns', label: 'Patterns' },
  { id: 'pipeline', label: 'Pipeline' },
  { id: 'run', label: 'Run' },
  { id: 'inspector', label: 'Node' },
  { id: 'console', label: 'Console' },
]

export function Inspector() {
  const panel = useView((s) => s.panel)
  const report = useRun((s) => s.report)
  const explained = useExplained().report
  const python = useRun((s) => s.python)
  const { setPanel } = useView.getState()
  const badges: Partial<Record<PanelId, string>> = {}
  if (report) {
    badges.matches = `${totalMatches(report)}`
    const why = explained && whyNot(explained)
    const reasons = why ? why.general.length + why.apart.length + why.near.length : 0
    if (reasons) badges.whynot = `${reasons}`
  }
  if (python || report?.tests?.some(testFailed)) badges.console = '!'

  return (
    <aside className="inspector" aria-label="Panels">
      <div
        className="panel-tabs"
        role="tablist"
        aria-label="Panels"
        onKeyDown={(e) => {
          const step = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0
          if (!step) return
          e.preventDefault()
          const i = PANELS.findIndex((p) => p.id === panel)
          const next = PANELS[(i + step + PANELS.length) % PANELS.length]!.id
          setPanel(next)
          document.getElementById(`panel-tab-${next}`)?.focus()
        }}
      >
        {PANELS.map((p) => (
          <button
            key={p.id}
            id={`panel-tab-${p.id}`}
            role="tab"
            aria-selected={panel === p.id}
            aria-controls="panel-body"
            tabIndex={panel === p.id ? 0 : -1}
            data-testid={`panel-tab-${p.id}`}
            onClick={() => setPanel(p.id)}
          >
            {p.label}
            {badges[p.id] && <span className={`count ${badges[p.id] === '!' ? 'bad' : ''}`}>{badges[p.id]}</span>}
          </button>
        ))}
      </div>
      <div id="panel-body" className="panel-body" role="tabpanel" aria-labelledby={`panel-tab-${panel}`}>
        <Guard key={panel} what="This panel">
          {panel === 'matches' && <MatchesPanel />}
          {panel === 'whynot' && <WhyNotPanel />}
          {panel === 'steps' && <StepsPanel />}
          {panel === 'patterns' && <PatternsPanel />}
          {panel === 'pipeline' && <PipelinePanel />}
          {panel === 'run' && <RunPanel />}
          {panel === 'inspector' && <NodePanel />}
          {panel === 'console' && <ConsolePanel />}
        </Guard>
      </div>
      {panel !== 'inspector' && <SelectionStrip />}
    </aside>
  )
}
