/** Runs the matched operators and their replacement on the GPU, compares the outputs and the times. */
import type { RunReport } from '../../gpu/types'
import { cancelGpuRun, runMatch } from '../live/gpu'
import { indexOf, markOf, type MatchRef } from '../model/report_index'
import { useGpu, type MatchKey } from '../stores/gpu'
import { useSelectionHighlight } from '../stores/highlights'
import { useRun } from '../stores/run'
import { useView } from '../stores/view'
import { Icon } from '../shell/icons'
import { PatternBadge } from '../shell/PatternBadge'
import { RunResult } from './RunResult'

const keyOf = (m: MatchRef): MatchKey => ({ pass: m.pass.name, match: m.match.index })
const same = (a: MatchKey | null, b: MatchKey | null): boolean => a?.pass === b?.pass && a?.match === b?.match

export function RunPanel() {
  const report = useRun((s) => s.report)
  const summary = useRun((s) => s.summary)
  const h = useSelectionHighlight()
  const gpu = useGpu()
  if (!report || summary)
    return <p className="empty">Once the patterns have run here, a match can be run on your GPU.</p>
  const { matches } = indexOf(report)
  if (matches.length === 0)
    return <p className="empty">Nothing matched, so there is nothing to run. The Why not panel says what came close.</p>
  const chosen =
    matches.find((m) => h.match && same(keyOf(m), keyOf(h.match))) ??
    matches.find((m) => same(keyOf(m), gpu.of)) ??
    matches[0]!
  const key = keyOf(chosen)
  const result = gpu.report && same(gpu.of, key) ? gpu.report : null

  return (
    <div className="run-panel">
      <div className="run-row">
        <PatternBadge mark={markOf(report, key.pass, chosen.entry.index)} />
        <select
          aria-label="Match to run"
          className="mono"
          value={`${key.pass}\u0000${key.match}`}
          onChange={(e) => {
            const [pass = '', match = ''] = e.target.value.split('\u0000')
            useView.getState().select({ kind: 'match', pass, index: Number(match) })
          }}
        >
          {matches.map((m) => (
            <option key={`${m.pass.name}\u0000${m.match.index}`} value={`${m.pass.name}\u0000${m.match.index}`}>
              {m.match.index + 1}: {m.match.node}
            </option>
          ))}
        </select>
        {gpu.running ? (
          <button className="btn danger" onClick={cancelGpuRun}>
            <Icon name="stop" size={12} />
            Cancel
          </button>
        ) : (
          <button
            className="btn primary"
            data-testid="run-button"
            onClick={() => void runMatch(key, chosen.entry.title)}
          >
            <Icon name="play" size={12} />
            Run
          </button>
        )}
      </div>
      <div className="run-row run-options">
        <label>
          Tokens
          <input
            type="number"
            min={1}
            max={65536}
            placeholder="as matched"
            value={gpu.tokens ?? ''}
            onChange={(e) =>
              useGpu.setState({
                tokens: e.target.value === '' ? null : Math.max(1, Math.floor(Number(e.target.value))),
              })
            }
          />
        </label>
        <label>
          Inputs
          <select
            value={gpu.distribution}
            onChange={(e) => useGpu.setState({ distribution: e.target.value as typeof gpu.distribution })}
          >
            <option value="normal">normal</option>
            <option value="uniform">uniform</option>
            <option value="outliers">with outliers</option>
            <option value="zeros">zeros</option>
          </select>
        </label>
      </div>
      {gpu.running && <Progress />}
      {gpu.failure && !gpu.running && same(gpu.of, key) && (
        <p className="notice bad" role="alert">
          {gpu.failure}
        </p>
      )}
      {result && !gpu.running ? (
        <RunResult report={result} />
      ) : (
        !gpu.running && !gpu.failure && <Hint report={gpu.report} />
      )}
    </div>
  )
}

function Progress() {
  const progress = useGpu((s) => s.progress)
  return (
    <div role="status">
      <p className="muted">{progress?.text ?? 'Preparing'}</p>
      <div
        className="bar"
        role="progressbar"
        aria-label="Run"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round((progress?.fraction ?? 0) * 100)}
      >
        <span style={{ width: `${(progress?.fraction ?? 0) * 100}%` }} />
      </div>
    </div>
  )
}

function Hint({ report }: { report: RunReport | null }) {
  return (
    <p className="muted">
      {report ? 'This match has not run yet. ' : ''}Run executes the matched operators and the replacement on the same
      inputs, compares every output element by element, and times both.
    </p>
  )
}
