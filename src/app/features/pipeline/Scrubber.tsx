/** One position a stage: moving it shows the graph after that stage on the canvas. */
import type { Pipeline } from '../../../engine/pipeline/types'
import { runCommand } from '../../commands/types'
import { STAGE_NEXT, STAGE_PREVIOUS } from './commands'
import { showStage } from './live'
import { actingStages, stageTitle } from './pipeline'
import { fateOf } from './stage_view'
import { Icon } from '../../ui/icons'
import { usePipeline } from './store'
import { useView } from '../../session/view_store'

export function Scrubber({ pipeline }: { pipeline: Pipeline }) {
  const at = useView((s) => s.stage)
  const beside = usePipeline((s) => s.beside)
  const last = actingStages(pipeline).length
  const title = at === null ? 'Before and after are shown' : stageTitle(pipeline, at)
  return (
    <section className="scrubber" aria-label="Graph between the passes">
      <div className="scrubber-line">
        <button
          className="btn quiet"
          aria-label={STAGE_PREVIOUS.title}
          title={`${STAGE_PREVIOUS.title} (,)`}
          disabled={at === 0}
          onClick={() => runCommand(STAGE_PREVIOUS)}
        >
          <Icon name="back" size={14} />
        </button>
        <input
          type="range"
          data-testid="stage-scrubber"
          className={at === null ? 'unset' : ''}
          aria-label="Graph after which pass"
          aria-valuetext={title}
          min={0}
          max={last}
          step={1}
          value={at ?? last}
          onChange={(e) => void showStage(Number(e.target.value))}
          // Where nothing is chosen yet it stands at its end, and being moved there changes nothing.
          onPointerUp={(e) => at === null && void showStage(Number(e.currentTarget.value))}
          onKeyDown={(e) => {
            if (at !== null || !/^(ArrowRight|ArrowUp|End)$/.test(e.key)) return
            e.preventDefault()
            void showStage(last)
          }}
        />
        <button
          className="btn quiet"
          aria-label={STAGE_NEXT.title}
          title={`${STAGE_NEXT.title} (.)`}
          disabled={at === last}
          onClick={() => runCommand(STAGE_NEXT)}
        >
          <Icon name="forward" size={14} />
        </button>
        <button
          className="btn quiet"
          aria-label="Leave the graph between the passes"
          title="Back to before and after"
          disabled={at === null}
          onClick={() => void showStage(null)}
        >
          <Icon name="close" size={14} />
        </button>
      </div>
      <p className="scrubber-title">
        <span className="ellipsis" data-testid="stage-title">
          {title}
        </span>
        {at !== null && (
          <>
            <label className="scrubber-beside">
              <input
                type="checkbox"
                checked={beside && at > 0}
                disabled={at === 0}
                onChange={(e) => usePipeline.setState({ beside: e.target.checked })}
              />
              Beside the one before
            </label>
          </>
        )}
      </p>
      <Picked pipeline={pipeline} />
    </section>
  )
}

/** The node chosen on the canvas: which stage put it in, and which takes it out. */
function Picked({ pipeline }: { pipeline: Pipeline }) {
  const { stage, picked } = usePipeline()
  const seq = useView((s) => s.seq)
  if (!stage || picked?.seq !== seq) return null
  const stages = actingStages(pipeline)
  const fate = fateOf(stage, picked.name, (at) => stages[at - 1]?.name ?? `stage ${at}`)
  if (!fate) return null
  return (
    <p className="muted scrubber-picked" data-testid="stage-node">
      <span className="mono">{picked.name}</span> {fate}
    </p>
  )
}
