/** Stores whose state belongs to the open workspace. */
import { create, type StateCreator, type StoreApi, type UseBoundStore } from 'zustand'
import { perPage } from './scope'

const resets = perPage((): (() => void)[] => [])

/**
 * A zustand store that each session resets to its initial state. @param keep the part of the state that outlives a
 * session, such as options set by the user
 */
export function createSessionStore<T extends object>(
  creator: StateCreator<T>,
  keep: (state: T) => Partial<T> = () => ({}),
): UseBoundStore<StoreApi<T>> {
  const store = create<T>(creator)
  resets().push(() => store.setState({ ...store.getInitialState(), ...keep(store.getState()) }, true))
  return store
}

/** Puts each session store back to its initial state. */
export function resetSessionStores(): void {
  for (const reset of resets()) reset()
}

/** Resolves to the first state of a store that satisfies a condition. */
export function until<T>(store: StoreApi<T>, holds: (state: T) => boolean): Promise<T> {
  if (holds(store.getState())) return Promise.resolve(store.getState())
  return new Promise((resolve) => {
    const stop = store.subscribe((state) => {
      if (!holds(state)) return
      stop()
      resolve(state)
    })
  })
}
