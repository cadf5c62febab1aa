/** "This should match here": one pattern pinned to one node, and the engine's answer about that pair alone. */
import { NONE, type Section } from '../session/section'
import { createSessionStore } from '../session/session_store'
import { useView } from '../session/view_store'
import type { PinAnswer } from '../../engine/protocol'
import type { Pin } from '../../workspace/types'

export interface PinState {
  pin: Pin | null
  /** The last answer; it stays while a newer one is requested. */
  answer: Section<PinAnswer>
  asking: boolean
  /** One sentence if there is no answer. */
  problem: string | null
  /** The node of the open pin dialog. */
  choosing: string | null
  pinTo(pin: Pin | null): void
}

export const usePin = createSessionStore<PinState>((set) => ({
  pin: null,
  answer: NONE,
  asking: false,
  problem: null,
  choosing: null,
  pinTo: (pin) => set({ pin, answer: NONE, problem: null, asking: pin !== null }),
}))

/** Opens the dialog that pins a pattern to a node of the graph before. */
export function choosePattern(node: string): void {
  usePin.setState({ choosing: node })
  useView.getState().setOverlay('pin')
}
