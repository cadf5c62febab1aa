/** The active stages of a pipeline as an exported script runs them. */
import type { FoundStage } from '../../python/types'
import { countsByPass, withoutCall } from '../pipeline/pass_counts'
import { nameOf, type PipelinePlan, type PlannedStage } from '../pipeline/plan'
import type { PipelineRun } from '../pipeline/run'
import { isUserCalled } from '../pipeline/user_call'

/**
 * `apply`: PatternMatcherPass.apply; `own`: the pass's own `apply` or `__call__`; `owner`: the object that contains the
 * passes is called; `call`: the object itself;
 * `hook:NAME`: the function in a hook of torch._inductor.config; `built-in`: one of Inductor's own passes.
 */
export type ExportedStage = readonly [how: string, names: readonly string[]]

/** Adjacent passes that one call applies form one stage. */
export function exportedStages({ acting }: Pick<PipelinePlan, 'acting'>): ExportedStage[] {
  const stages: { how: string; names: string[]; callable: unknown }[] = []
  for (const stage of acting) {
    const callable = 'defined' in stage && isUserCalled(stage.defined) ? stage.defined.callable : null
    const before = stages.at(-1)
    if (callable !== null && before?.callable === callable && !before.names.includes(nameOf(stage)))
      before.names.push(nameOf(stage))
    else stages.push({ how: howOf(stage), names: [nameOf(stage)], callable })
  }
  return stages.map(({ how, names }) => [how, names])
}

function howOf(stage: PlannedStage): string {
  if ('builtIn' in stage) return 'built-in'
  const { passId, callable, of, hook, override } = stage.defined
  if (override) return 'own'
  if (passId !== null && callable === null) return 'apply'
  const inHook = of === null && hook !== null
  if (inHook) return `hook:${hook}`
  return passId === null ? 'call' : 'owner'
}

/** Inactive passes whose code an active stage calls: they match nothing. */
export function passesOff({ acting, defined }: Pick<PipelinePlan, 'acting' | 'defined'>): string[] {
  const active = acting.flatMap((s) => ('defined' in s ? [s.defined] : []))
  const called = new Set(active.map((s) => s.callable).filter((c) => c !== null))
  const off = (s: FoundStage): boolean => s.passId !== null && !active.some((a) => a.passId === s.passId)
  return [...new Set(defined.filter((s) => off(s) && called.has(s.callable!)).map((s) => withoutCall(s.variable)))]
}

/** Matches by pass; a pass that runs several times has the sum. */
export const countsOf = ({ passes }: PipelineRun): Record<string, number> =>
  Object.fromEntries(countsByPass(passes.map((p) => [p.toExplain.name, p.count])))
