/** A slider with one position per stage, which shows the graph after that stage on the canvas. */
import type { Pipeline } from '../../../engine/pipeline/types'
import { CommandButton } from '../../commands/CommandButton'
import { showStage } from '../../on_screen/stage/stage_requests'
import { actingStages, stageTitle } from '../../report/pipeline'
import { fateOf } from '../../on_screen/stage/stage_view'
import { usePipeline } from '../../on_screen/stage/store'
import { useView } from '../../session/view_store'
import { CloseButton } from '../../ui/Button'
import { css, cx } from '../../ui/css'
import styles from './Scrubber.module.css'

export function Scrubber({ pipeline }: { pipeline: Pipeline }) {
  const at = useView((s) => s.stage)
  const last = actingStages(pipeline).length
  const title = at === null ? 'Graphs before and after' : stageTitle(pipeline, at)
  return (
    <section className={styles.scrubber} aria-label="Graph between the passes">
      <div className={cx(styles.line, css.row)}>
        <CommandButton command="stage-previous" icon="back" size={14} disabled={at === 0} />
        <StageSlider at={at} last={last} title={title} />
        <CommandButton command="stage-next" icon="forward" size={14} disabled={at === last} />
        <CloseButton
          size={14}
          label="Close the graph between the passes"
          hint="Back to before and after"
          disabled={at === null}
          onClick={() => void showStage(null)}
        />
      </div>
      <p className={styles.title}>
        <span className={css.ellipsis} data-testid="stage-title">
          {title}
        </span>
        {at !== null && <CompareWithPrevious at={at} />}
      </p>
      <Picked pipeline={pipeline} />
    </section>
  )
}

/** Until a stage is chosen the slider stays at its end; moving it there chooses the last stage. */
function StageSlider({ at, last, title }: { at: number | null; last: number; title: string }) {
  return (
    <input
      type="range"
      data-testid="stage-scrubber"
      data-unset={at === null || undefined}
      aria-label="Stage of the shown graph"
      aria-valuetext={title}
      min={0}
      max={last}
      step={1}
      value={at ?? last}
      onChange={(e) => void showStage(Number(e.target.value))}
      onPointerUp={(e) => at === null && void showStage(Number(e.currentTarget.value))}
      onKeyDown={(e) => {
        if (at !== null || !/^(ArrowRight|ArrowUp|End)$/.test(e.key)) return
        e.preventDefault()
        void showStage(last)
      }}
    />
  )
}

function CompareWithPrevious({ at }: { at: number }) {
  const beside = usePipeline((s) => s.beside)
  return (
    <label className={styles.beside}>
      <input
        type="checkbox"
        checked={beside && at > 0}
        disabled={at === 0}
        onChange={(e) => usePipeline.setState({ beside: e.target.checked })}
      />
      Compare with the previous stage
    </label>
  )
}

/** The selected node: the stages that add and remove it. */
function Picked({ pipeline }: { pipeline: Pipeline }) {
  const { shown, picked } = usePipeline()
  const stage = shown.value
  const seq = useView((s) => s.seq)
  if (!stage || picked?.seq !== seq) return null
  const stages = actingStages(pipeline)
  const fate = fateOf(stage, picked.name, (at) => stages[at - 1]?.name ?? `stage ${at}`)
  if (!fate) return null
  return (
    <p className={cx(css.muted, css.breaks)} data-testid="stage-node">
      <span className={css.mono}>{picked.name}</span> {fate}
    </p>
  )
}
