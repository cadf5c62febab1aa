/** The match timeline as plain data for the page. Recorded in src/matcher/steps. */
export type { Step, StepKind, Timeline } from '../../matcher/steps/types'
