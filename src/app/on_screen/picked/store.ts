/** Picked nodes, and the pattern that the engine made of them. */
import type { PatternForm } from '../../../engine/from_selection/types'
import type { SelectionAnswer } from '../../../engine/protocol'
import { createSessionStore } from '../../session/session_store'

export interface NewPatternStore {
  /** Each press on the graph picks: a finger has no Shift. */
  picking: boolean
  /** Names of nodes of the graph before the passes, in the order of picking. */
  picked: readonly string[]
  /** Null: after the operators. */
  name: string | null
  /** Null: the engine chooses. */
  form: PatternForm | null
  /** Constants that are parameters. */
  parameters: readonly string[]
  /** The newest answer; null before the first. */
  answer: SelectionAnswer | null
  waiting: boolean
}

export const useNewPattern = createSessionStore<NewPatternStore>(() => ({
  picking: false,
  picked: [],
  name: null,
  form: null,
  parameters: [],
  answer: null,
  waiting: false,
}))
