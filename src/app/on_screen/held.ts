/** Why not waits for the first attempt at an exercise: who reads the cause and the fix before has nothing left to find. */
import { create } from 'zustand'

export const useHeld = create<{ held: boolean }>(() => ({ held: false }))

export const setHeld = (held: boolean): void => useHeld.setState({ held })
