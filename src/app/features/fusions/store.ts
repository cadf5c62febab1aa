/** The gallery's patterns that fire on the shown graph, and the command that runs them. */
import type { TextFile } from '../../../workspace/types'
import type { Command } from '../../commands/types'
import { useRun } from '../../session/run_store'
import { createSessionStore } from '../../session/session_store'
import { useView } from '../../session/view_store'

/** One example whose patterns fire on the graph. */
export interface Offer {
  id: string
  title: string
  system: string
  places: number
  /** Null if a shape is unknown. */
  bytes: number | null
  files: readonly TextFile[]
}

export const useFusions = createSessionStore(() => ({
  offers: [] as readonly Offer[],
  /** Number of examples that have run, and of all examples. */
  done: 0,
  total: 0,
  problem: null as string | null,
}))

/** Most matches first; on a tie, the most bytes saved first. */
export const ranked = (offers: readonly Offer[]): Offer[] =>
  [...offers].sort((a, b) => b.places - a.places || (b.bytes ?? 0) - (a.bytes ?? 0))

export const FIND_FUSIONS: Command = {
  id: 'fusions',
  title: 'What can be fused here: run the gallery’s patterns on this graph',
  group: 'Graph',
  enabled: () => (useRun.getState().graphRead.value?.nodes.length ?? 0) > 0,
  run: () => useView.getState().setOverlay('fusions'),
}
