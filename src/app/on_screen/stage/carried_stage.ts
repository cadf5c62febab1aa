/** The graph between two passes as a link carries it, and the view of it that its reader sees until the code has run. */
import type { GraphView, Report } from '../../../engine/protocol'
import type { CarriedStage } from '../../../workspace/carried'
import { positions } from '../../../engine/queries/report_index'
import { useRun } from '../../session/run_store'
import { engine } from '../../session/runner'
import { currentSession } from '../../session/session'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { stageTitle } from '../../report/pipeline'
import { usePipeline } from './store'

/** Undefined unless the graph after a stage is on screen and belongs to the newest text. */
export async function carriedStage({ pipeline }: Report): Promise<CarriedStage | undefined> {
  const { stage, version } = usePipeline.getState()
  const { running, reportVersion } = useRun.getState()
  const { workspace, version: newest } = useWorkspace.getState()
  const shown = useView.getState().stage !== null && stage !== null && pipeline
  if (!shown || running || version !== reportVersion || version !== newest) return undefined
  const { at, added, removed } = stage
  const text = await (await engine()).print(workspace, 'readable', at)
  return { at, title: stageTitle(pipeline, at), graph: { name: 'stage.txt', text }, added, removed }
}

/** Shows the sender's graph; the run here replaces it. */
export async function showSentStage(sent: CarriedStage): Promise<void> {
  const { signal } = currentSession()
  try {
    const graph = await (await engine()).view(sent.graph.text)
    // A run here may have been faster.
    if (signal.aborted || useView.getState().stage !== sent.at || usePipeline.getState().stage) return
    usePipeline.setState({ stage: stageFrom(sent, graph, useRun.getState().graph), sentTitle: sent.title })
  } catch {
    // The run here shows the graph.
  }
}

/** A link names the nodes that the stage added; which later stage removes one is known after the run. */
export function stageFrom({ at, added, removed }: CarriedStage, graph: GraphView, before: GraphView | null) {
  const own = new Set(added)
  const known = before && positions(before)
  const from = graph.nodes.map(({ name }) => (!own.has(name) && known?.has(name) ? 0 : at))
  return { at, graph, before: null, added, removed, from, until: graph.nodes.map(() => at + 1) }
}
