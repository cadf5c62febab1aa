/** The progress of a search for fixes of one entry. */
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

/** The changes so far, and the near miss that remains after them. */
export interface SearchState {
  files: readonly SourceFile[]
  edit: PatternEdit | null
  titles: readonly string[]
  run: FixRun
  miss: NearMissFold
  /** True once a change narrows the pattern. */
  narrows: boolean
  /** Rewrites of the search function by the changes so far. */
  rewrites: readonly Rewrite[]
}

/** One run with a change. */
export interface Trial {
  files: readonly SourceFile[]
  edit: PatternEdit | null
  run: FixRun
  /** The result of a screened run. */
  left?: SearchState | null
}
