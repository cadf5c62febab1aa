/** The explained pattern of the Explain view, and the stage that is shown. */
import type { ExplainedPattern, ExplainedStage } from '../../../engine/protocol'
import { createSessionStore } from '../../session/session_store'

export const useExplain = createSessionStore(() => ({
  explained: null as ExplainedPattern | null,
  /** Index into `explained.stages`. */
  stage: 0,
  failure: null as string | null,
  /** Folded expressions, by index. */
  folded: new Set() as ReadonlySet<number>,
}))
export type ExplainStore = ReturnType<typeof useExplain.getState>

/** The shown stage of a pattern; null if another pattern is explained. */
export function stageOf({ explained, stage }: ExplainStore, pass: string, entry: number): ExplainedStage | null {
  if (explained?.pass !== pass || explained.entry !== entry) return null
  return explained.stages[stage] ?? explained.stages[0] ?? null
}
