import type { Pipeline, PipelineStage, StageDid } from '../../../engine/pipeline/types'
import type { Report } from '../../../engine/protocol'
import { changePasses, showStage } from './live'
import {
  changeText,
  didFigures,
  figures,
  isChosen,
  isListed,
  offSentence,
  passOf,
  placeOf,
  shownName,
  toggled,
} from './pipeline'
import { count } from '../../../base/english'
import { useView } from '../../session/view_store'
import { SourceLink } from '../../ui/SourceLink'

export interface RowDrag {
  start(): void
  over(): void
  drop(): void
}

/** One stage: its switch, what it did, why it did nothing, and what a compile cache knows it by. */
export function StageRow({
  row,
  report,
  pipeline,
  stage,
  dropping,
  drag,
}: {
  row: number
  report: Report
  pipeline: Pipeline
  stage: PipelineStage
  dropping: boolean
  drag: RowDrag
}) {
  const shown = useView((s) => stage.at !== null && s.stage === stage.at)
  const pass = passOf(report, stage)
  const chosen = isChosen(stage)
  const on = isListed(stage)
  const place = placeOf(stage)
  const off = offSentence(stage)
  const change = changeText(stage)
  return (
    <li
      className={`stage ${shown ? 'selected' : ''} ${stage.at === null ? 'off' : ''} ${dropping ? 'dropping' : ''}`}
      data-row={row}
      data-pass={stage.name}
      data-testid={`stage-${stage.name}`}
      draggable={on}
      onDragStart={(e) => {
        e.dataTransfer.setData('text/plain', stage.name)
        e.dataTransfer.effectAllowed = 'move'
        drag.start()
      }}
      onDragOver={(e) => {
        if (!chosen) return
        e.preventDefault()
        drag.over()
      }}
      onDrop={(e) => {
        e.preventDefault()
        e.stopPropagation()
        drag.drop()
      }}
    >
      {chosen ? (
        <button
          role="switch"
          className="stage-switch"
          aria-checked={on}
          aria-label={`Apply ${stage.name}`}
          title={on ? 'Do not apply this pass' : 'Apply this pass here'}
          onClick={() => changePasses(toggled(pipeline, stage), `${stage.name} is ${on ? 'off' : 'on'}.`)}
        />
      ) : (
        <span className="stage-built-in" aria-hidden="true" />
      )}
      <button
        className="stage-main"
        aria-pressed={shown}
        disabled={stage.at === null}
        title={stage.at === null ? undefined : `Show the graph after it${on ? '; Shift+↑ and Shift+↓ move it' : ''}`}
        onClick={() => stage.at !== null && void showStage(stage.at)}
      >
        <span className={`stage-name ellipsis ${stage.kind === 'dead-code' ? '' : 'mono'}`}>{shownName(stage)}</span>
        {change && <span className="num stage-change">{change}</span>}
        {stage.nodes !== null && <span className="num muted">{count(stage.nodes, 'node')}</span>}
      </button>
      <div className="stage-more">
        {pass?.passName && <p className="muted">pass_name {pass.passName}</p>}
        {stage.kind === 'dead-code' && <p className="muted">The last step: graph.eliminate_dead_code()</p>}
        {place && <p className="muted">{place}</p>}
        {pass && !off && <p className="muted num-line">{figures(pass)}</p>}
        {pass?.applyError && <p className="stage-bad">Raised {pass.applyError}</p>}
        {stage.did && <Did did={stage.did} besides={pass !== null} />}
        {off && <p className="muted">{off}</p>}
        {stage.off && <Guards stage={stage} />}
        {stage.uuid && <Uuid uuid={stage.uuid} />}
      </div>
    </li>
  )
}

/** @param besides it is what code did that also applied the stage's patterns, of which the figures are told */
function Did({ did, besides }: { did: StageDid; besides: boolean }) {
  return (
    <>
      {did.error && <p className="stage-bad">Raised {did.error}</p>}
      {!did.error && !besides && <p className="muted num-line">{didFigures(did)}</p>}
      {did.broken?.map((sentence) => (
        <p key={sentence} className="stage-bad">
          Broken: {sentence}
        </p>
      ))}
      {besides && did.notes.map((note) => <p key={note}>{note}</p>)}
      {!besides && did.notes.length > 0 && (
        <details className="stage-notes">
          <summary>{count(did.notes.length, 'decision')}</summary>
          <ul>
            {did.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function Guards({ stage }: { stage: PipelineStage }) {
  const guards = stage.off!.guards
  if (guards.length === 0) return null
  return (
    <ul className="stage-guards" aria-label="What decided that">
      {guards.map((g, i) => (
        <li key={i}>
          <code>{g.question}</code> is <code>{g.answer}</code> {g.source && <SourceLink source={g.source} />}
        </li>
      ))}
    </ul>
  )
}

function Uuid({ uuid }: { uuid: NonNullable<PipelineStage['uuid']> }) {
  return (
    <details className="stage-uuid">
      <summary>
        uuid <code>{uuid.uuid.slice(0, 12)}</code>
      </summary>
      <p className="muted">SHA-256 over these, as vLLM’s InductorPass.uuid is over a pass’s source:</p>
      <dl>
        {uuid.parts.map((p) => (
          <div key={p.name}>
            <dt className={p.kind === 'file' ? 'mono' : ''}>{p.name}</dt>
            <dd className="mono" title={p.hash}>
              {p.hash.slice(0, 12)}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
