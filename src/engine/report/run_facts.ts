/** A report's facts about a run beside its passes (its files, environment and stubs), and their JSON. */
import { olderTorch } from '../../base/torch_version'
import type { PythonFailure } from '../../python/types'
import type { Run } from '../run/run'
import type { SwitchedOff } from '../switches/types'
import { notableFiles } from './file_outcomes'
import { printedDecision, stubDecisions, type PrintedDecision } from './stub_decisions'
import type { Report } from './types'

export type RunFacts = Pick<
  Report,
  'torch' | 'python' | 'causes' | 'files' | 'off' | 'stubs' | 'inferredOps' | 'schemas'
>

/** @param off what the environment turned off; empty: nothing, or not known yet */
export function runFacts(run: Run, off: readonly SwitchedOff[]): RunFacts {
  const files = notableFiles(run.outcomes)
  return {
    ...olderTorch(run.environment),
    python: run.failure,
    causes: [...run.causes],
    ...(files && { files }),
    ...(off.length > 0 && { off: [...off] }),
    stubs: [...run.stubs],
    inferredOps: [...run.inferredOps],
    ...(run.schemas.length > 0 && { schemas: [...run.schemas] }),
  }
}

/** The part that `match --json` and `explain --json` share. */
export interface PrintedFacts extends Pick<Report, 'schemas'> {
  /** Answers of stubs that decided a branch, a check or a registration; absent if none. */
  stubs?: PrintedDecision[]
}

/** @param passes the passes whose extra_checks used stubs */
export function printedFacts(
  { stubs, schemas }: Pick<Report, 'stubs' | 'schemas'>,
  passes: Parameters<typeof stubDecisions>[1],
): PrintedFacts {
  const decisions = stubDecisions(stubs, passes)
  return { ...(decisions.length > 0 && { stubs: decisions.map(printedDecision) }), ...(schemas && { schemas }) }
}

/** The recorder runs a pattern's source as the module `user_pattern`, which appears in function names in graphs… */
export const RECORDED_AS = 'user_pattern.py'
/** …compiled under this file name, which appears in str() of a SyntaxError. */
const RECORDED_FILE = 'pattern.py'

/** The text of str(error): a SyntaxError includes its file and line. */
export function errorText({ type, message, frames }: PythonFailure): string {
  const at = /^(?:SyntaxError|IndentationError|TabError)$/.test(type) ? frames.at(-1) : undefined
  if (!at) return `${type}: ${message}`
  return `${type}: ${message} (${at.file === RECORDED_AS ? RECORDED_FILE : at.file}, line ${at.line})`
}
