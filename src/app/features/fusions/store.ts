/** What the gallery's patterns fuse in the shown graph. */
import type { TextFile } from '../../../workspace/types'
import { createSessionStore } from '../../session/session_store'

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
  /** Examples that have run, and all. */
  done: 0,
  total: 0,
  problem: null as string | null,
}))

/** Most places first; of equal ones, those that save more bytes. */
export const ranked = (offers: readonly Offer[]): Offer[] =>
  [...offers].sort((a, b) => b.places - a.places || (b.bytes ?? 0) - (a.bytes ?? 0))
