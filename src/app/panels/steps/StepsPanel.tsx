/** The match as a timeline: where it stands above, what that step says and has bound below. */
import { useEffect } from 'react'
import { openSteps, resumeSteps } from '../../live/steps'
import { rowOf } from '../../model/steps'
import { passNamed } from '../../model/report_index'
import { useRun } from '../../stores/run'
import { useSteps } from '../../stores/steps'
import { useView } from '../../stores/view'
import { PatternGraph } from './PatternGraph'
import { StepCard } from './StepCard'
import { StepList } from './StepList'
import { StepTools } from './StepTools'
import './steps.css'

export function StepsPanel() {
  const { of, walk, at, level, loading, failure } = useSteps()
  const report = useRun((s) => s.report)
  useEffect(resumeSteps, [of, walk])
  if (!of) return <Nothing />
  const step = walk?.steps[at]
  const pass = passNamed(report, of.pass)
  return (
    <div className="steps-panel" data-testid="steps-panel">
      <StepTools />
      {failure && <p className="notice bad">{failure}</p>}
      {!walk && loading && <p className="empty">Running the pass up to {of.node}…</p>}
      {walk && step && (
        <>
          <StepList walk={walk} level={level} row={rowOf(walk, level, at)} report={report} />
          <div className="steps-detail">
            <StepCard step={step} walk={walk} pass={pass} />
            <PatternGraph step={step} walk={walk} pass={pass} />
          </div>
        </>
      )}
    </div>
  )
}

/** No timeline is open: the selected node's can be, and what else leads here is said. */
function Nothing() {
  const selection = useView((s) => s.selection)
  const report = useRun((s) => s.report)
  const name = selection?.kind === 'node' && selection.side === 'before' ? selection.name : null
  const passes = name ? (report?.passes ?? []) : []
  return (
    <div className="empty steps-nothing">
      <p>Walk through a match: each comparison, in the order in which PyTorch makes it, forward and back.</p>
      {passes.map((pass) => (
        <button
          key={pass.name}
          className="btn"
          onClick={() => void openSteps({ pass: pass.name, entry: null, node: name! })}
        >
          Step through <span className="mono">{name}</span> in <span className="mono">{pass.name}</span>
        </button>
      ))}
      {passes.length === 0 && <p>Select a node and press S, or choose “Step through” beside a match or a near miss.</p>}
    </div>
  )
}
