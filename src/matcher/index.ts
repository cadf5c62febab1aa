/** torch/_inductor/pattern_matcher.py, in TypeScript. */
export * from './host'
export * from './types'
export * from './expr'
export * from './observer'
export * from './schema_facts'
export {
  PatternRegistry,
  type EntryView,
  type InitialPattern,
  type PassView,
  type PatternRegistryOptions,
  type SpecificTrace,
} from './registry'
export type { EntryPatterns, SpecificPattern } from './registration/entry_patterns'
export type { ApplyResult } from './pass'
export { fxToPattern, type FxToPatternOptions } from './fx_to_pattern'
export { PatternPrettyPrinter } from './pretty_printer'
export { FailedMatch, Match, type MatchResult } from './match'
export { MatchContext } from './match_context'
export { briefReason } from './reasons/brief'
export { customContexts } from './custom_context'
export { isMutationOp, MutationRegions } from './mutation_regions'
export { hasUnsupportedType } from './unsupported'
