/** The comparison on screen, and the chosen match or change in its list. */
import type { CompareReport } from '../../../engine/compare/types'
import { NONE, type Section } from '../../session/section'
import { createSessionStore } from '../../session/session_store'

export interface PickedPlace {
  list: 'lost' | 'won' | 'changes'
  index: number
  place: number
}

export interface PickedNode {
  list: 'node'
  side: 'before' | 'after'
  name: string
}

export const useCompare = createSessionStore(() => ({
  compared: NONE as Section<CompareReport>,
  /** Name of the graph that the shown one is compared with. */
  other: null as string | null,
  /** An entry of one of the lists and one of its places, or a node. */
  picked: null as PickedPlace | PickedNode | null,
}))
export type CompareStore = ReturnType<typeof useCompare.getState>
