/** "This should match here": one pattern pinned to one node, and the engine's answer about that pair alone. */
import { combine } from 'zustand/middleware'
import { NONE, type Section } from '../session/section'
import { createSessionStore } from '../session/session_store'
import { useView } from '../session/view_store'
import type { PinAnswer } from '../../engine/protocol'
import type { Pin } from '../../workspace/types'

const state = {
  pin: null as Pin | null,
  /** The last answer; it stays while a newer one is requested. */
  answer: NONE as Section<PinAnswer>,
  asking: false,
  /** The reason, one sentence, if there is no answer. */
  problem: null as string | null,
  /** The node of the open pin dialog. */
  choosing: null as string | null,
}

export const usePin = createSessionStore(
  combine(state, (set) => ({
    pinTo: (pin: Pin | null): void => set({ pin, answer: NONE, problem: null, asking: pin !== null }),
  })),
)

/** Opens the dialog that pins a pattern to a node of the graph before. */
export function choosePattern(node: string): void {
  usePin.setState({ choosing: node })
  useView.getState().setOverlay('pin')
}
