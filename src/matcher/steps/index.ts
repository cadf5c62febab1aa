/** Records one match step by step. */
export * from './types'
export { StepRecorder, type Wanted } from './recorder'
