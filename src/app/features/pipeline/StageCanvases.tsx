/** The graph after a stage with the stage's changes, optionally beside the previous graph. */
import { useMemo } from 'react'
import type { Framing } from '../../canvas'
import { DifferenceSteps } from '../../on_screen/differences/DifferenceSteps'
import { LookBar } from '../../on_screen/look/LookBar'
import { useUncovering } from '../../on_screen/look/uncovering'
import { shownIn, useLookFraming, useNewest, useVisibility } from '../../on_screen/look/visible'
import { useStageFold } from '../../on_screen/fold/own_fold'
import { SideCanvas } from '../../on_screen/SideCanvas'
import { showStage } from '../../on_screen/stage/stage_requests'
import { parseGroupId } from '../../on_screen/canvas_view'
import { actingStages, changeText, stageTitle } from '../../report/pipeline'
import { selectAt, stageLit } from '../../on_screen/stage/stage_selection'
import { graphOn, stageFraming, stageGroups, stageMarks, type StageSide } from '../../on_screen/stage/stage_view'
import { violationNotesOf, NO_VIOLATIONS } from '../../report/violations'
import type { StageView } from '../../../engine/pipeline/types'
import type { Visibility } from '../../fold/types'
import { useSelectionHighlight } from '../../on_screen/use_highlight'
import { usePipeline } from '../../on_screen/stage/store'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { css, cx } from '../../ui/css'
import { CloseButton } from '../../ui/Button'
import frameStyles from '../../on_screen/frame.module.css'
import styles from './StageCanvases.module.css'

export function StageCanvases() {
  const beside = usePipeline((s) => s.beside && s.shown.value?.before != null)
  return (
    <main className={frameStyles.canvases} data-mode={beside ? 'split' : undefined} data-testid="stage-canvases">
      {beside && <StageCanvas side="before" />}
      {/* A canvas of half the width needs another layout, not a smaller scale. */}
      <StageCanvas key={beside ? 'beside' : 'alone'} side="after" />
    </main>
  )
}

function StageCanvas({ side }: { side: StageSide }) {
  const stage = usePipeline((s) => s.shown.value)!
  const sentTitle = usePipeline((s) => s.sentTitle)
  const picked = usePipeline((s) => s.picked)
  const camera = useView((s) => s.camera)
  const report = useRun((s) => s.result.value)
  const seq = useView((s) => s.seq)
  const selected = useSelectionHighlight()
  const pipeline = report?.pipeline
  const graph = graphOn(stage, side)!
  const { groups, violations, marks } = useStageOverlays(stage, side)
  const pick = picked?.seq === seq ? picked : null
  const nodes = stageLit(stage, report, selected, pick)[side]
  const selection = useMemo(() => ({ nodes, focus: nodes.values().next().value ?? null }), [nodes])

  const visible = useVisibility(graph)
  const { shown, ...folded } = useStageFold(graph, nodes, visible)
  const framing = useNewest(useStageFraming(stage, side, nodes, visible), shown)

  const at = side === 'after' ? stage.at : stage.at - 1
  const title = sentTitle ?? (pipeline ? stageTitle(pipeline, at) : `After stage ${at}`)
  return (
    <section className={frameStyles.pane} data-region="canvas" aria-label={title} data-testid={`stage-canvas-${side}`}>
      <StageTitle title={title} sent={sentTitle !== null} nodes={graph.nodes.length} side={side} />
      <LookBar drawn={shownIn(graph, visible)} of={graph.nodes.length} />
      <SideCanvas
        {...{ side, groups, selection, framing, marks, ...folded }}
        start={sentTitle !== null && camera?.side === side ? camera : null}
        notes={violations}
        onSelectNode={(name) => selectAt(stage, side, name)}
        onSelectGroup={(id) => {
          const group = parseGroupId(id)
          if (group) useView.getState().select(group, side)
        }}
      />
    </section>
  )
}

/** Groups and marks over the graph of a stage. */
function useStageOverlays(stage: StageView, side: StageSide) {
  const report = useRun((s) => s.result.value)
  const graph = graphOn(stage, side)!
  const of = report?.pipeline && actingStages(report.pipeline)[stage.at - 1]
  const groups = useMemo(() => stageGroups(report, of, graph, side), [report, of, graph, side])
  const violations = useMemo(() => {
    const pass = of?.pass == null ? undefined : report?.passes[of.pass]
    return pass?.violations ? violationNotesOf([pass], graph, side) : NO_VIOLATIONS
  }, [report, of, graph, side])
  const marks = useMemo(() => stageMarks(stage, side, violations), [stage, side, violations])
  return { groups, violations, marks }
}

/** What the stage changed, and later the selected nodes. */
function useStageFraming(
  stage: StageView,
  side: StageSide,
  nodes: ReadonlySet<string>,
  visible: Visibility | null,
): Framing | null {
  const seq = useView((s) => s.seq)
  const changed = useMemo(() => stageFraming(stage, side), [stage, side])
  const chosen = useMemo<Framing | null>(
    () => (nodes.size > 0 ? { names: [...nodes], own: useView.getState().from === side } : null),
    // A selection moves the canvas once; a new report of the same selection does not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [seq, side],
  )
  useUncovering(graphOn(stage, side), chosen, visible)
  return useLookFraming(useNewest(changed, chosen))
}

interface StageTitleProps {
  title: string
  /** The graph comes from a link. */
  sent: boolean
  nodes: number
  side: StageSide
}

function StageTitle({ title, sent, nodes, side }: StageTitleProps) {
  return (
    <h2 className={cx(frameStyles.title, styles.stageTitle, css.row)}>
      <span className={css.ellipsis} title={title}>
        {title}
      </span>
      <span className={cx(css.muted, css.num, styles.nodes)}>{nodes.toLocaleString('en-US')} nodes</span>
      <StageChange side={side} />
      {sent && <span className={css.muted}>the sender’s</span>}
      {side === 'after' && !sent && <DifferenceSteps />}
      {side === 'after' && (
        <CloseButton
          size={12}
          label="Close the graph between the passes"
          hint="Back to before and after"
          onClick={() => void showStage(null)}
        />
      )}
    </h2>
  )
}

/** Numbers of added and removed nodes. If the graph before the stage is shown too, the removed ones are counted there. */
function StageChange({ side }: { side: StageSide }) {
  const stage = usePipeline((s) => s.shown.value)!
  const beside = usePipeline((s) => s.beside && s.shown.value?.before != null)
  const [added, removed] = [stage.added.length, stage.removed.length]
  const text = changeText({
    added: side === 'after' ? added : 0,
    removed: side === 'before' || !beside ? removed : 0,
  })
  if (stage.at === 0 || !text) return null
  return (
    <span
      className={cx(css.num, styles.change)}
      data-testid="stage-change"
      title={`${added} nodes added, ${removed} removed`}
    >
      {text}
    </span>
  )
}
