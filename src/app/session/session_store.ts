/** Stores whose state belongs to the open workspace. */
import { create, type StateCreator, type StoreApi, type UseBoundStore } from 'zustand'

const resets: (() => void)[] = []

/**
 * A zustand store that each session resets to its initial state. @param keep the part of the state that outlives a
 * session, such as options set by the user
 */
export function createSessionStore<T extends object>(
  creator: StateCreator<T>,
  keep: (state: T) => Partial<T> = () => ({}),
): UseBoundStore<StoreApi<T>> {
  const store = create<T>(creator)
  resets.push(() => store.setState({ ...store.getInitialState(), ...keep(store.getState()) }, true))
  return store
}

/** Puts each session store back to its initial state. */
export function resetSessionStores(): void {
  for (const reset of resets) reset()
}
