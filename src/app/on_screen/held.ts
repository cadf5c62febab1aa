/** Why not waits for the first attempt at an exercise: a learner who reads the cause and the fix first has nothing left to find. */
import { create } from 'zustand'

export const useHeld = create<{ held: boolean }>(() => ({ held: false }))

export const setHeld = (held: boolean): void => useHeld.setState({ held })
