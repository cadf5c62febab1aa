import type { Pipeline, PipelineStage, StageEffects } from '../../../engine/pipeline/types'
import type { Report } from '../../../engine/protocol'
import { changePasses, showStage } from '../../on_screen/stage/stage_requests'
import {
  changeText,
  effectFigures,
  figures,
  isChosen,
  isListed,
  isRecorded,
  offSentence,
  passOf,
  placeOf,
  shownName,
  toggled,
} from '../../report/pipeline'
import { becauseText } from '../../../engine/switches/reason_text'
import { count } from '../../../base/english'
import { useView } from '../../session/view_store'
import { StageConditions } from '../../report/views/Conditions'
import { StageEdits } from '../../on_screen/stage/StageEdits'
import { SourceLink } from '../../ui/SourceLink'
import { css, cx } from '../../ui/css'
import styles from './StageRow.module.css'

export interface RowDrag {
  start(): void
  over(): void
  drop(): void
}

/** One stage: its switch, its effect or the reason for inactivity, and its compile-cache key. */
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
  const fixed = isRecorded(report)
  const chosen = isChosen(stage) && !fixed
  const on = isListed(stage) && !fixed
  const change = changeText(stage)
  return (
    <li
      className={styles.stage}
      data-selected={shown || undefined}
      data-dropping={dropping || undefined}
      data-row={row}
      data-pass={stage.name}
      data-testid={`stage-${stage.name}`}
      draggable={on}
      {...dragHandlers(stage, drag)}
    >
      {chosen ? <StageSwitch pipeline={pipeline} stage={stage} on={on} /> : <span aria-hidden="true" />}
      <button
        className={styles.main}
        data-stage-main
        aria-pressed={shown}
        disabled={stage.at === null}
        title={stage.at === null ? undefined : `Show the graph after it${on ? '; Shift+↑ and Shift+↓ move it' : ''}`}
        onClick={() => stage.at !== null && void showStage(stage.at)}
      >
        <span className={cx(css.spring, css.ellipsis, !(stage.kind === 'dead-code') && css.mono)}>
          {shownName(stage)}
        </span>
        {change && <span className={cx(css.num, styles.change)}>{change}</span>}
        {stage.nodes !== null && <span className={cx(css.num, css.muted)}>{count(stage.nodes, 'node')}</span>}
      </button>
      <StageFacts report={report} stage={stage} />
    </li>
  )
}

/** Only a pass of the pipeline accepts a drop. */
function dragHandlers(stage: PipelineStage, drag: RowDrag): React.DOMAttributes<HTMLLIElement> {
  return {
    onDragStart: (e) => {
      e.dataTransfer.setData('text/plain', stage.name)
      e.dataTransfer.effectAllowed = 'move'
      drag.start()
    },
    onDragOver: (e) => {
      if (!isChosen(stage)) return
      e.preventDefault()
      drag.over()
    },
    onDrop: (e) => {
      e.preventDefault()
      e.stopPropagation()
      drag.drop()
    },
  }
}

/** Switches a pass of the pipeline on or off. */
function StageSwitch({ pipeline, stage, on }: { pipeline: Pipeline; stage: PipelineStage; on: boolean }) {
  return (
    <button
      role="switch"
      className={styles.toggle}
      aria-checked={on}
      aria-label={`Apply ${stage.name}`}
      title={on ? 'Do not apply this pass' : 'Apply this pass here'}
      onClick={() => changePasses(toggled(pipeline, stage), `${stage.name} is ${on ? 'off' : 'on'}.`)}
    />
  )
}

/** Effect of a stage, or the reason for its inactivity. */
function StageFacts({ report, stage }: { report: Report; stage: PipelineStage }) {
  const pass = passOf(report, stage)
  const place = placeOf(stage)
  const off = offSentence(stage)
  return (
    <div className={styles.more}>
      {pass?.passName && <p className={css.muted}>pass_name {pass.passName}</p>}
      {stage.kind === 'dead-code' && <p className={css.muted}>The last stage: graph.eliminate_dead_code()</p>}
      {place && <p className={css.muted}>{place}</p>}
      {stage.place && <SourceLink source={stage.place} />}
      {pass && !off && <p className={cx(css.muted, styles.numLine)}>{figures(pass)}</p>}
      {pass?.applyError && <p className={css.bad}>Raised {pass.applyError}</p>}
      {stage.did && <Effects kind={stage.kind} did={stage.did} />}
      {stage.did?.edits && <StageEdits report={report} stage={stage} edits={stage.did.edits} />}
      <StageConditions report={report} stage={stage} />
      {off && <p className={css.muted}>{off}</p>}
      {stage.off && <Guards stage={stage} />}
      {stage.uuid && <Uuid uuid={stage.uuid} />}
    </div>
  )
}

function Effects({ kind, did }: { kind: PipelineStage['kind']; did: StageEffects }) {
  // Besides patterns, whose figures the row already shows.
  const besides = kind === 'pass'
  const plain = besides || kind === 'call'
  return (
    <>
      {did.error && <p className={css.bad}>Raised {did.error}</p>}
      {!did.error && !besides && <p className={cx(css.muted, styles.numLine)}>{effectFigures(kind, did)}</p>}
      {did.broken?.map((sentence) => (
        <p key={sentence} className={css.bad}>
          Violation: {sentence}
        </p>
      ))}
      {plain && did.notes.map((note) => <p key={note}>{note}</p>)}
      {!plain && did.notes.length > 0 && (
        <details className={styles.notes}>
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
    <ul className={styles.guards} aria-label="Deciding query">
      {guards.map((g, i) => (
        <li key={i}>
          <code>{g.question}</code> is <code>{g.answer}</code>
          {becauseText(g.settings)} {g.source && <SourceLink source={g.source} />}
        </li>
      ))}
    </ul>
  )
}

function Uuid({ uuid }: { uuid: NonNullable<PipelineStage['uuid']> }) {
  return (
    <details className={styles.uuid}>
      <summary>
        uuid <code>{uuid.uuid.slice(0, 12)}</code>
      </summary>
      <p className={css.muted}>SHA-256 over these parts, like vLLM’s InductorPass.uuid over a pass’s source:</p>
      <dl>
        {uuid.parts.map((p) => (
          <div key={p.name}>
            <dt className={cx(p.kind === 'file' && css.mono)}>{p.name}</dt>
            <dd className={css.mono} title={p.hash}>
              {p.hash.slice(0, 12)}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
