/** The match as a timeline, as the page reads it. Recorded in src/matcher/steps. */
export type { Step, StepKind, Timeline } from '../../matcher/steps/types'
