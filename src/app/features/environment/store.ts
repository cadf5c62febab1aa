/** What was registered before the person changed the environment, to tell what the change did. */
import { create } from 'zustand'
import type { Registered } from './environment'

interface EnvironmentState {
  /** Null until the environment is changed. */
  before: Registered | null
  /** Workspace version that the change made: only reports of it or a later one show its outcome. */
  since: number
  /** Of the workspace that was changed. */
  origin: string
}

export const useEnvironment = create<EnvironmentState>(() => ({ before: null, since: 0, origin: '' }))
