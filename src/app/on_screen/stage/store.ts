/** State of the graph after a stage, and the baseline of the compile cache. */
import { createSessionStore } from '../../session/session_store'
import { NONE, type Section } from '../../session/section'
import type { Pipeline, StageView } from '../../../engine/pipeline/types'
import { useView } from '../../session/view_store'

export interface PipelineStore {
  /** The last stage received; it stays on screen while another is requested. */
  shown: Section<StageView>
  /** Title of the stage while it is the one that a link carries; null once it was computed here. */
  sentTitle: string | null
  failure: string | null
  /** The graph of the previous stage is shown beside it. */
  beside: boolean
  /**
   * The selected node of a graph between the passes, which a Selection cannot express, and the Selection at that time.
   */
  picked: { side: 'before' | 'after'; name: string; seq: number } | null
  /** Baseline of the compile-cache comparison; `at` in ms since 1970. */
  baseline: { pipeline: Pipeline; at: number } | null
  /** The list of passes before each change made in this panel, newest last. */
  undo: { passes: string[] | undefined; what: string }[]
}

export const usePipeline = createSessionStore<PipelineStore>(() => ({
  shown: NONE,
  sentTitle: null,
  failure: null,
  beside: false,
  picked: null,
  baseline: null,
  undo: [],
}))

/**
 * True while the canvas shows the graph after a stage, which was chosen and has arrived. Until it arrives, the canvas
 * stays unchanged.
 */
export function useStaged(): boolean {
  const chosen = useView((s) => s.stage !== null)
  const here = usePipeline((s) => s.shown.value !== null)
  return chosen && here
}
