/** State of the graph after a stage, and the baseline of the compile cache. */
import { createSessionStore } from '../../session/session_store'
import type { Pipeline, StageView } from '../../../engine/pipeline/types'
import { useView } from '../../session/view_store'

export interface PipelineStore {
  /** The last stage that arrived; it stays on screen while another is asked for. */
  stage: StageView | null
  /** The report, by its version, that the stage is of. */
  version: number
  failure: string | null
  /** The graph of the stage before stands beside it. */
  beside: boolean
  /** A node of a graph between the passes, which no selection can name; and the selection it was chosen after. */
  picked: { name: string; seq: number } | null
  /** What changes are measured against; `at` in ms since 1970. */
  baseline: { pipeline: Pipeline; at: number } | null
  /** Lists of passes before each change made here, newest last. */
  undo: { passes: string[] | undefined; what: string }[]
}

export const usePipeline = createSessionStore<PipelineStore>(() => ({
  stage: null,
  version: -1,
  failure: null,
  beside: false,
  picked: null,
  baseline: null,
  undo: [],
}))

/** The canvas shows the graph after a stage: one was chosen, and has come. Until then, what is on screen stays. */
export function useStaged(): boolean {
  const chosen = useView((s) => s.stage !== null)
  const here = usePipeline((s) => s.stage !== null)
  return chosen && here
}
