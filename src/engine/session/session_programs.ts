/** Programs for Run: a match of an analysis, or a registration over inputs of other sizes. */
import type { RunPrograms } from '../../gpu/types'
import { PythonError, type PatternRegistry } from '../../matcher'
import { TorchError } from '../../trace/types'
import type { ReportedPass } from '../report/pass_report'
import { handlerRegion } from '../programs/handler_region'
import type { OperatorBodies } from '../programs/operator_bodies'
import { programsOf, regionOf } from '../programs/program'
import { byArgument, variantPrograms, withShapes } from '../programs/run_program'

/** @throws Error if there is no such match */
export function matchPrograms(
  applied: readonly ReportedPass[],
  pass: string,
  match: number,
  bodies: OperatorBodies,
): RunPrograms {
  const of = applied.find((p) => p.report.name === pass)
  const found = of?.matches[match]
  if (!of || !found) throw new Error(`no match ${match} in pass ${pass}`)
  const title = of.report.entries[found.entry]?.title ?? pass
  const region = found.made ? handlerRegion(of, found, bodies)?.region() : regionOf(of, found)
  if (!region)
    throw new Error(`The handler of ${title} changed nothing at ${found.node} that the rest of the graph reads.`)
  return programsOf(`${title} at ${found.node}`, of, region, bodies)
}

/** @throws Error, one plain sentence */
export function registeredPrograms(
  applied: readonly ReportedPass[],
  { registry, bodies }: { registry: PatternRegistry; bodies: OperatorBodies },
  pass: string,
  index: number,
  shapes: Record<string, number[]>,
): RunPrograms {
  const of = applied.find((p) => p.report.name === pass)
  const entry = of?.report.entries[index]
  if (!of || !entry) throw new Error(`The pass ${pass} has no pattern ${index} in the last run.`)
  const { title } = entry
  const { passId } = of
  if (passId === null) throw new Error(`replace_pattern traces ${title} without shapes: run one of its matches.`)
  try {
    const both = registry.traceBoth(passId, index, (names, inputs) =>
      withShapes(names, inputs, byArgument(entry, names, shapes)),
    )
    if (!both) throw new Error(`${title} was written by hand with a handler, so there is no replacement to run.`)
    return variantPrograms(title, both.search, both.replacement, bodies)
  } catch (e) {
    if (e instanceof PythonError || e instanceof TorchError)
      throw new Error(`${title} cannot be traced with these sizes: ${e.pythonType}: ${e.message}`, { cause: e })
    throw e
  }
}
