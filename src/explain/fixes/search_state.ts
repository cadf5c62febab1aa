/** How far a search for fixes of one entry has come. */
import type { NearMissFold } from '../near_misses'
import type { Rewrite } from './candidates/mirror'
import type { SourceFile } from './change'
import type { FixRun, PatternEdit } from './trials'

/** The options applied so far. */
export interface AppliedOptions {
  titles: readonly string[]
  narrows: boolean
  adds: boolean
  rewrites: readonly Rewrite[]
}

/** The changes so far, and the near miss that is left after them. */
export interface SearchState {
  files: readonly SourceFile[]
  edit: PatternEdit | null
  titles: readonly string[]
  run: FixRun
  miss: NearMissFold
  /** True once a change narrows the pattern. */
  narrows: boolean
  /** Rewrites of the search function that the changes made so far. */
  rewrites: readonly Rewrite[]
}

/** One run with a change. */
export interface Trial {
  files: readonly SourceFile[]
  edit: PatternEdit | null
  run: FixRun
  /** Of one that was screened. */
  left?: SearchState | null
}
