/** The stages as a list: arrow keys show the graph after each, Shift with them moves the pass. */
import { useRef, useState } from 'react'
import type { Pipeline, PipelineStage } from '../../../engine/pipeline/types'
import type { Report } from '../../../engine/protocol'
import { changePasses, showStage } from '../../on_screen/stage/stage_requests'
import { isRecorded, movedBy, movedTo } from '../../report/pipeline'
import { count } from '../../../base/english'
import { useView } from '../../session/view_store'
import { StageRow } from './StageRow'
import { css, cx } from '../../ui/css'
import stageRowStyles from './StageRow.module.css'

export function StageList({ report, pipeline }: { report: Report; pipeline: Pipeline }) {
  const shown = useView((s) => s.stage)
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)

  const focusRow = (row: number): void => {
    list.current?.querySelector<HTMLElement>(`[data-row="${row}"] [data-stage-main]`)?.focus()
  }
  const onKeyDown = (e: React.KeyboardEvent): void => {
    const by = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0
    const row = Number((e.target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset.row)
    if (!by || Number.isNaN(row) || e.ctrlKey || e.metaKey || e.altKey) return
    e.preventDefault()
    const stage = row > 0 ? pipeline.stages[row - 1] : undefined
    if (e.shiftKey) {
      if (isRecorded(report)) return
      if (stage) moveStage(stage, movedBy(pipeline, stage, by))
      // The list is rendered again after the run, with the pass at its new position.
      if (stage) keepFocus(stage.name)
      return
    }
    const next = Math.min(Math.max(0, row + by), pipeline.stages.length)
    focusRow(next)
    const at = next === 0 ? 0 : pipeline.stages[next - 1]!.at
    if (at !== null) void showStage(at)
  }

  return (
    <ol
      ref={list}
      data-stages
      aria-label="Passes in execution order"
      onKeyDown={onKeyDown}
      onDragEnd={() => (setDragged(null), setOver(null))}
    >
      <OriginalGraphRow shown={shown === 0} nodes={report.graph.nodes.length} />
      {pipeline.stages.map((stage, i) => (
        <StageRow
          key={`${stage.name}:${pipeline.stages.slice(0, i).filter((s) => s.name === stage.name).length}`}
          row={i + 1}
          report={report}
          pipeline={pipeline}
          stage={stage}
          dropping={over === i && dragged !== null && dragged !== i}
          drag={{
            start: () => setDragged(i),
            over: () => dragged !== null && setOver(i),
            drop: () => {
              const moved = dragged === null ? undefined : pipeline.stages[dragged]
              // Dropped on a later pass, it moves behind it; on an earlier pass, before it.
              if (moved) moveStage(moved, movedTo(pipeline, moved, dragged! < i ? i + 1 : i))
              setDragged(null)
              setOver(null)
            },
          }}
        />
      ))}
    </ol>
  )
}

/** Runs the pipeline with the passes in another order; null means that the stage cannot move there. */
function moveStage(stage: PipelineStage, passes: string[] | undefined | null): void {
  if (passes !== null) changePasses(passes, `${stage.name} was moved.`)
}

/** The first row: the graph before every pass. */
function OriginalGraphRow({ shown, nodes }: { shown: boolean; nodes: number }) {
  return (
    <li className={stageRowStyles.stage} data-given data-selected={shown || undefined} data-row={0}>
      <button className={stageRowStyles.main} data-stage-main aria-pressed={shown} onClick={() => void showStage(0)}>
        <span className={css.spring}>Original graph</span>
        <span className={cx(css.num, css.muted)}>{count(nodes, 'node')}</span>
      </button>
    </li>
  )
}

/** Keeps the focus on a pass while the list is rendered again. */
function keepFocus(name: string): void {
  const find = (): HTMLElement | null =>
    document.querySelector<HTMLElement>(`[data-pass="${CSS.escape(name)}"] [data-stage-main]`)
  const list = document.querySelector('[data-stages]')
  if (!list) return
  const observer = new MutationObserver(() => find()?.focus())
  observer.observe(list, { childList: true })
  setTimeout(() => observer.disconnect(), 2000)
}
