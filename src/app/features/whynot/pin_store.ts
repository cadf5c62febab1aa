/** "This should match here": one pattern pinned to one node, and the engine's answer about that pair alone. */
import { createSessionStore } from '../../session/session_store'
import type { PinAnswer } from '../../../engine/protocol'
import type { Pin } from '../../../workspace/types'

export interface PinState {
  pin: Pin | null
  /** The last answer; it stays while a newer one is asked for. */
  answer: PinAnswer | null
  asking: boolean
  /** One plain sentence where no answer can be given. */
  problem: string | null
  /** Node whose pattern is being chosen, while the chooser is open. */
  choosing: string | null
  pinTo(pin: Pin | null): void
}

export const usePin = createSessionStore<PinState>((set) => ({
  pin: null,
  answer: null,
  asking: false,
  problem: null,
  choosing: null,
  pinTo: (pin) => set({ pin, answer: null, problem: null, asking: pin !== null }),
}))
