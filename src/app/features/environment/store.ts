/** Registrations before the environment was changed, to report the effect of the change. */
import { createSessionStore } from '../../session/session_store'
import type { Registered } from './environment'

interface EnvironmentState {
  /** Null until the environment is changed. */
  before: Registered | null
  /** Workspace version that the change made: only reports of it or a later one show its outcome. */
  since: number
}

export const useEnvironment = createSessionStore<EnvironmentState>(() => ({ before: null, since: 0 }))
