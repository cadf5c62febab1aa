/** Plan of a pipeline run: the active stages, in order, and the reason why each other stage is inactive. */
import type { EnvironmentAnswer, FoundStage, PythonRun } from '../../python/types'
import { builtIn, COMPILATION_ORDER, type BuiltIn } from './built_in'
import type { StageOff } from './types'

/** A stage that user code defines, or a built-in pass. */
export type PlannedStage = { defined: FoundStage } | { builtIn: BuiltIn }

export interface PipelinePlan {
  /** In execution order. */
  acting: readonly PlannedStage[]
  /** In compilation order; names that are listed but not defined come last. */
  inactive: readonly InactiveStage[]
  /** Every stage that the user's code defines. */
  defined: readonly FoundStage[]
  /** Names of all defined and built-in stages in compilation order. */
  names: readonly string[]
}

export interface InactiveStage {
  name: string
  /** `no-patterns` does not occur here: a pass without patterns runs and replaces nothing. */
  why: Exclude<StageOff['why'], 'no-patterns'>
  /** Null for a name that is listed but not defined. */
  stage: PlannedStage | null
  /** The deciding environment query, for `not-applicable` and `other-path`. */
  decidedBy: EnvironmentAnswer | null
}

/**
 * @param run the Python run; after a failure no stage runs
 * @param listed names to apply, in order; without a list every defined stage of the selected compile path runs. A stage
 * that rejects the compile range never runs; a stage of the other compile path runs only if it is listed.
 */
export function planPipeline(
  { line, failure }: Pick<PythonRun, 'line' | 'failure'>,
  listed: readonly string[] | undefined,
): PipelinePlan {
  if (failure) return { acting: [], inactive: [], defined: [], names: [] }
  const defined = line.filter((s) => !s.within || listed?.includes(s.variable))
  const made = defined.filter((s) => !s.unmade)
  const wanted = listed
    ? listed.flatMap((name) => listedStages(name, made))
    : made.filter((s) => s.path === null && !s.proposed).map((stage) => ({ defined: stage }))
  const acting = wanted.filter((stage) => !('defined' in stage) || stage.defined.refused === null)
  const names = compilationOrder(defined)
  const active = new Set(acting.map(nameOf))
  const inactive = names.filter((name) => !active.has(name)).map((name) => inactiveStage(name, defined, listed))
  const undefinedNames = [...new Set(listed)].filter((name) => !names.includes(name))
  const missing = undefinedNames.map((name) => ({ name, why: 'not-defined', stage: null, decidedBy: null }) as const)
  return { acting, inactive: [...inactive, ...missing], defined, names }
}

export const nameOf = (stage: PlannedStage): string =>
  'builtIn' in stage ? stage.builtIn.name : stage.defined.variable

function listedStages(name: string, made: readonly FoundStage[]): PlannedStage[] {
  const stages = made.filter((s) => s.variable === name).map((stage) => ({ defined: stage }))
  const inductor = stages.length > 0 ? undefined : builtIn(name)
  return inductor?.run ? [{ builtIn: inductor }] : stages
}

function inactiveStage(
  name: string,
  defined: readonly FoundStage[],
  listed: readonly string[] | undefined,
): InactiveStage {
  const inductor = builtIn(name)
  if (inductor) {
    const why = inductor.run ? 'not-listed' : 'not-run-here'
    return { name, why, stage: { builtIn: inductor }, decidedBy: null }
  }
  const found = defined.find((s) => s.variable === name)!
  const stage = { defined: found }
  if (found.unmade) return { name, why: 'not-made', stage, decidedBy: null }
  if (found.proposed) return { name, why: 'proposed', stage, decidedBy: null }
  if (listed?.includes(name) === false) return { name, why: 'not-listed', stage, decidedBy: null }
  if (found.refused) return { name, why: 'not-applicable', stage, decidedBy: found.refused }
  return { name, why: 'other-path', stage, decidedBy: found.path }
}

const compilationOrder = (defined: readonly FoundStage[]): string[] =>
  COMPILATION_ORDER.flatMap((step) =>
    'name' in step ? [step.name] : defined.filter((s) => step.hooks.includes(s.hook)).map((s) => s.variable),
  )
