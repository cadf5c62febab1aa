/** Picked nodes, and the pattern that the engine made of them. */
import type { PatternForm } from '../../../engine/from_selection/types'
import type { SelectionAnswer } from '../../../engine/protocol'
import { createSessionStore } from '../../session/session_store'

export const useNewPattern = createSessionStore(() => ({
  /** True if each press on the graph picks: a finger has no Shift. */
  picking: false,
  /** Names of nodes of the graph before the passes, in the order of picking. */
  picked: [] as readonly string[],
  /** Null: named after the operators. */
  name: null as string | null,
  /** Null: the engine chooses. */
  form: null as PatternForm | null,
  /** Constants that become parameters. */
  parameters: [] as readonly string[],
  /** The newest answer; null before the first. */
  answer: null as SelectionAnswer | null,
  waiting: false,
}))
