/** What the simulated environment turned off, and the settings that turn it on. */
import type { StageGuard, StageOff } from '../pipeline/types'

/** Registering calls that did not run because of the environment's answers. */
export interface SkippedRegistrations {
  /** The answers in the condition. */
  guards: StageGuard[]
  /** The file of the condition and of the calls. */
  file: string
  /** Lines of the skipped calls. */
  lines: number[]
}

/** A stage that is off or has no patterns, a file that an exception ended, or skipped registrations. */
export interface SwitchedOff {
  what: 'stage' | 'file' | 'registrations'
  /** The stage, or the file. */
  name: string
  /** Lines of the skipped calls that register patterns, in the file `name`. */
  lines?: number[]
  why: StageOff['why'] | 'raised' | 'skipped'
  guards: StageGuard[]
  /** The setting that turns it on. */
  on: TurnedOn | null
  /** Number of settings that were tried. */
  tried: number
}

export interface TurnedOn {
  /** In the form that `--env` takes: `platform=ascend-910b`. */
  setting: string
  /** Number of patterns that all passes gain with the setting; 0 if they lose some. */
  patterns: number
  /** Matches of all passes with it, and without it. */
  matches: number
  matchesBefore: number
}
