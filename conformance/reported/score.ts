/**
 * Scores explanations of reported failures: what a user had, in our own words and code, with the fault of the thread.
 * `npx tsx conformance/reported/main.ts [ID…]` prints the table.
 */
import { readFileSync } from 'node:fs'
import { diagnosesLines } from '../../src/cli/explain_text'
import { explainCase, matchCase, type CaseExplanation, type CaseInput } from '../../src/engine/cases/cases'
import type { Interpreter } from '../../src/engine/run/interpreter'
import { diagnosesOf } from '../../src/engine/report/diagnoses'
import { applyEdits } from '../../src/explain/fixes/change'
import { DEFAULT_ENVIRONMENT, type Environment } from '../../src/workspace/types'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

export interface Reported {
  id: string
  /** The repository and the number of the public thread. */
  thread: string
  /** What the user saw, in words that they would search for. */
  symptom: string
  /** The cause that the thread found. */
  truth: string
  /** Number of matches; PyTorch's, where the pattern fires wrongly or only here. */
  fires: number
  /** Text in one of the first five lines. */
  says: string
  /** The title of a fix like the maintainers'; null if no fix is an edit of the pattern, or none is found. */
  fix: string | null
  /** Scores that fail, with the reason. */
  fails?: Partial<Record<keyof Score, string>>
  /** Settings that differ from the default environment. */
  environment?: Partial<Environment>
}

export interface Score {
  loads: boolean
  reproduces: boolean
  cause: boolean
  /** Null if none is expected. */
  fix: boolean | null
  firesAfter: boolean | null
  /** The first line. */
  line: string
}

export const REPORTED = JSON.parse(read('reported.json')) as readonly Reported[]

export function caseInputOf(id: string): CaseInput {
  const environment = REPORTED.find((r) => r.id === id)?.environment
  return {
    id,
    pattern_py: read(`cases/${id}/pattern.py`),
    graph: read(`cases/${id}/graph.py`),
    ...(environment && { environment: { ...DEFAULT_ENVIRONMENT, ...environment } }),
  }
}

export function scoreOf(interpreter: Interpreter, { id, fires, says, fix }: Reported): Score {
  const input = caseInputOf(id)
  const explained = explainCase(interpreter, input, { fixes: true })
  const lines = diagnosesLines(diagnosesOf(explained))
  const found = fixesOf(explained).find(({ title }) => fix !== null && new RegExp(fix).test(title))
  return {
    loads: explained.python === null || lines.some((l) => new RegExp(says).test(l)),
    reproduces: countOf(explained) === fires,
    cause: lines.slice(0, 5).some((l) => new RegExp(says).test(l)),
    fix: fix === null ? null : found !== undefined,
    firesAfter: found ? firesWith(interpreter, input, found) : null,
    line: lines[0] ?? '',
  }
}

type Fixes = NonNullable<CaseExplanation['causes'][number]['fixes']>

const fixesOf = ({ causes, passes }: CaseExplanation): Fixes =>
  [
    ...causes,
    ...passes.flatMap((p) => [...p.causes, ...p.nearMisses.flatMap((m) => m.causes ?? []), ...p.lints]),
  ].flatMap((c) => c.fixes ?? [])

const countOf = ({ passes }: { passes: readonly { count?: number | null }[] }): number =>
  passes.reduce((sum, p) => sum + (p.count ?? 0), 0)

/** A change of the traced pattern has no edit, and made the pattern fire when it was found. */
const firesWith = (interpreter: Interpreter, input: CaseInput, { edits, matchesAfter }: Fixes[number]): boolean =>
  edits.length === 0 ||
  countOf(matchCase(interpreter, { ...input, pattern_py: applyEdits(input.pattern_py, edits) })) >= matchesAfter
