/** Runs both sides of a match on the reference device from the same inputs, and compares them by Run's rules. */
import { gather } from '../../gpu/device/host'
import { NoDefinition, runReference } from '../../gpu/device/reference'
import { CannotRun, MissingKernel } from '../../gpu/lower/lower_values'
import { compareCodes } from '../../gpu/run/compare'
import { settingsOf } from '../../gpu/run/run_context'
import { inputBytes } from '../../gpu/run/run_inputs'
import { outputReport } from '../../gpu/run/run_output'
import { Planner, type Plan } from '../../gpu/run/run_plan'
import { findCauses, judge } from '../../gpu/run/verdict'
import { madeFor, madeFrom, type InputKind } from './inputs'
import type { OutputReport, RunPrograms, RunReport, Verdict } from '../../gpu/types'

/** Number of rows of each activation, and value of symbolic sizes; larger numbers would show nothing new. */
const TOKENS = 8
/** Maximum number of elements per input, as in Run's own CPU part. */
export const MAX_ELEMENTS = 2 ** 17

/** The reason why programs cannot run on the reference device; `operator` is set if it has no definition there. */
export class NotComparable extends Error {
  constructor(
    message: string,
    readonly operator: string | null,
    /** For an operator of the user: the reason why its body cannot be used. */
    readonly untraced?: string,
  ) {
    super(message)
  }
}

export interface Compared {
  verdict: Verdict
  outputs: readonly OutputReport[]
}

/** Sizes chosen for the CPU. @throws NotComparable */
export function planOf(programs: RunPrograms): Plan {
  try {
    return planWith(programs, TOKENS)
  } catch (e) {
    if (!(e instanceof CannotRun)) throw e
    // A smaller number of rows may conflict with literal sizes in the program.
    try {
      return planWith(programs, null)
    } catch (second) {
      throw notComparable(second instanceof CannotRun ? second : e)
    }
  }
}

function planWith(programs: RunPrograms, tokens: number | null): Plan {
  const planner = new Planner(programs, tokens)
  const full = planner.full()
  planner.describe(full, { notes: [] } as unknown as RunReport)
  return planner.reduced(full, MAX_ELEMENTS)
}

/**
 * Runs both sides on one kind of input.
 * @param late throws once the time is over
 * @throws NotComparable
 */
export function comparePlan(plan: Plan, kind: InputKind, late: () => void): Compared {
  try {
    const context = {
      report: {} as RunReport,
      settings: settingsOf({ distribution: madeFrom(kind) }),
      tell: () => undefined,
      aborted: late,
    }
    const inputs = madeFor(plan, kind, inputBytes(plan, context))
    const memory = runReference(plan.unfused, inputs, late)
    const fused = runReference(plan.fused, inputs, late)
    const outputs = plan.unfused.outputs.map(({ at }, i) => {
      const f = plan.fused.outputs[i]!.at
      const a = gather(at.view, memory[at.slot]!)
      const b = gather(f.view, fused[f.slot]!)
      const pair = compareCodes(at.view.dtype, at.view.shape, a, b, a)
      return outputReport(plan, i, 'reference', { a, b }, { unfused: a, fused: b, pair })
    })
    const causes = outputs.every((o) => o.pair.equal) ? [] : findCauses(plan.unfused, plan.fused, memory, inputs, late)
    return { verdict: judge(outputs, causes), outputs }
  } catch (e) {
    if (e instanceof CannotRun || e instanceof NoDefinition) throw notComparable(e)
    throw e
  }
}

const notComparable = (e: CannotRun | NoDefinition): NotComparable =>
  e instanceof MissingKernel ? new NotComparable(e.reason, e.operator, e.untraced) : new NotComparable(e.reason, null)
