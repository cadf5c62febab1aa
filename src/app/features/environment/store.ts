/** Registrations before the environment was changed, to report the effect of the change. */
import { createSessionStore } from '../../session/session_store'
import type { Registered } from './environment'

interface EnvironmentState {
  /** Null until the environment is changed. */
  before: Registered | null
  /** Workspace version of the change: only reports of this or a later version show its effect. */
  since: number
}

export const useEnvironment = createSessionStore<EnvironmentState>(() => ({ before: null, since: 0 }))
