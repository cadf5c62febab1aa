/** State of the graph after a stage, and the baseline of the compile cache. */
import { createSessionStore } from '../../session/session_store'
import { NONE, type Section } from '../../session/section'
import type { Pipeline, StageView } from '../../../engine/pipeline/types'
import { useView } from '../../session/view_store'

export const usePipeline = createSessionStore(() => ({
  /** The last stage received; it stays on screen while another is requested. */
  shown: NONE as Section<StageView>,
  /** Title of the stage while it is the one from a link; null once it was computed here. */
  sentTitle: null as string | null,
  failure: null as string | null,
  /** The graph of the previous stage is shown beside it. */
  beside: false,
  /**
   * The selected node of a graph between the passes, which a Selection cannot express, and the Selection at that time.
   */
  picked: null as { side: 'before' | 'after'; name: string; seq: number } | null,
  /** Baseline of the compile-cache comparison; `at` in ms since 1970. */
  baseline: null as { pipeline: Pipeline; at: number } | null,
  /** The list of passes before each change made in this panel, newest last. */
  undo: [] as { passes: string[] | undefined; what: string }[],
}))

/** True while the canvas shows the graph after the chosen stage. Until that graph arrives, the canvas stays unchanged. */
export function useStaged(): boolean {
  const chosen = useView((s) => s.stage !== null)
  const here = usePipeline((s) => s.shown.value !== null)
  return chosen && here
}
