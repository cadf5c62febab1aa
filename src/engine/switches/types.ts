/** What the simulated environment turned off, and what turns it on. */
import type { StageGuard, StageOff } from '../pipeline/types'

/** Calls that register patterns and did not run, because of answers of the environment. */
export interface SkippedRegistrations {
  /** The answers in the condition. */
  guards: StageGuard[]
  /** The file of the condition and of the calls. */
  file: string
  /** Lines of the skipped calls. */
  lines: number[]
}

/** A stage that is off or has no patterns, a file whose exception ends it, or skipped registrations. */
export interface SwitchedOff {
  what: 'stage' | 'file' | 'registrations'
  /** The stage, or the file. */
  name: string
  /** Lines of the skipped calls that register patterns, in the file `name`. */
  lines?: number[]
  why: StageOff['why'] | 'raised' | 'skipped'
  guards: StageGuard[]
  /** What turns it on. */
  on: TurnedOn | null
  /** Number of settings that were tried. */
  tried: number
}

export interface TurnedOn {
  /** As `--env` takes it: `platform=ascend-910b`. */
  setting: string
  /** How many more patterns all passes have with it than without it; 0 if fewer. */
  patterns: number
  /** Matches of all passes with it, and without it. */
  matches: number
  matchesBefore: number
}
