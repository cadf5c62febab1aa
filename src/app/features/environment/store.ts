/** The section's state: unfolded or not, and the registrations before a change, to report its effect. */
import { NONE, type Section } from '../../session/section'
import { createSessionStore } from '../../session/session_store'
import type { Registered } from './environment'

export const useEnvironment = createSessionStore(() => ({
  open: false,
  /** Of the run on screen when the environment was changed; each other run shows the effect. */
  before: NONE as Section<Registered>,
}))
