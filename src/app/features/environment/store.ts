/** The section's state: unfolded or not, and the registrations before a change, to report its effect. */
import { createSessionStore } from '../../session/session_store'
import type { Registered } from './environment'

interface EnvironmentState {
  open: boolean
  /** Null until the environment is changed. */
  before: Registered | null
  /** Workspace version of the change: only reports of this or a later version show its effect. */
  since: number
}

export const useEnvironment = createSessionStore<EnvironmentState>(() => ({ open: false, before: null, since: 0 }))
