/** Near misses, causes and lints, computed after the report in slices, so that the worker can handle a newer request. */
import { restsOn, withReason } from '../../explain/causes'
import { explainSlices, type PassToExplain } from '../../explain/explain'
import type { NearMissFold } from '../../explain/near_misses'
import type { GuessedSchema } from '../../matcher/schema_facts'
import { withSchemas } from '../report/schema_facts'
import { lintPass } from '../../explain/lints/lint'
import { unexplained } from '../../explain/reasons/first_mismatch'
import { swappedFunctions } from '../../explain/reasons/swapped'
import type { StubDecision } from '../../matcher/types'
import { decidedAtLoad } from '../report/stub_decisions'
import { duplicatesOf, withoutNames } from '../report/duplicates'
import type { ReportedPass } from '../report/pass_report'
import type { Interpreter } from '../run/interpreter'
import type { Run } from '../run/run'
import type { Cause, Lint, NearMiss, PassExplained } from '../protocol'
import { code, message, worded } from '../../base/message'
import { answerText } from '../switches/reason_text'

/**
 * Lint `range-unchecked`: a pattern fires in a compile range that another pass with the same pattern rejects, because its
 * is_applicable_for_range applies only to that pass. Two compilers often register one fusion each.
 */
function refusedTwins(run: Run, { toExplain, matches }: ReportedPass): Lint[] {
  const { registry } = run.registrations
  const refused = run.pipeline.plan.inactive.flatMap(({ name, stage }) => {
    if (!stage || 'builtIn' in stage) return []
    const { passId, refused: answer } = stage.defined
    if (passId === null || !answer) return []
    return registry.pass(passId).entries.map((e) => ({ name, answer, text: withoutNames(e.text) }))
  })
  if (refused.length === 0) return []
  return toExplain.entries.flatMap((entry): Lint[] => {
    const fired = matches.filter((m) => m.entry === entry.index)
    const twin = fired.length > 0 ? refused.find((r) => r.text === withoutNames(entry.text)) : undefined
    if (!twin) return []
    return [
      {
        kind: 'range-unchecked',
        entry: entry.index,
        times: fired.length,
        graphNode: fired[0]!.node,
        argument: null,
        source: entry.registration.source,
        ...worded(
          message`fires in a compile range that ${code(twin.name)}, which has the same pattern, rejects: ${answerText(twin.answer)}; nothing asks it here, and an extra_check can`,
        ),
      },
    ]
  })
}

/** The caller may stop at a yield. merge_results.ts adds the result to the report. @param applied the passes of the run */
export const explainPasses = (
  interpreter: Interpreter,
  run: Run,
  applied: readonly ReportedPass[],
): Generator<void, PassExplained[]> => interpreter.slices(run.registrations, () => explainHeld(run, applied))

function* explainHeld(run: Run, applied: readonly ReportedPass[]): Generator<void, PassExplained[]> {
  const { registry } = run.registrations
  const stubs = decidedAtLoad(run.stubs)
  const code = run.files.map((f) => f.text)
  const out: PassExplained[] = []
  for (const [pass, { toExplain, replacements }] of applied.entries()) {
    const slices = explainSlices(toExplain)
    let explainMs = 0
    let step: ReturnType<typeof slices.next>
    for (;;) {
      const started = performance.now()
      step = slices.next()
      explainMs += performance.now() - started
      if (step.done) break
      yield
    }
    const { nearMisses, causes, leftOut } = step.value
    const tracedBy = (entry: number): readonly StubDecision[] => registry.traceDecisions(toExplain.entries[entry]!)
    out.push({
      pass,
      nearMisses: nearMisses.map((fold, index) => ({ index, ...fold, ...causesOf(fold, toExplain, tracedBy) })),
      causes: [...swappedFunctions(toExplain, replacements), ...causes].map((c) =>
        restsOn(restingOn(c, stubs, code), c.entry === undefined ? [] : tracedBy(c.entry)),
      ),
      lints: [...lintsOf(applied[pass]!), ...refusedTwins(run, applied[pass]!)],
      explainMs,
      ...(leftOut === undefined ? {} : { leftOut }),
    })
    yield
  }
  const duplicates = yield* duplicatesOf(applied, registry)
  return out.map((e, i) => (duplicates[i]!.length > 0 ? { ...e, duplicates: duplicates[i]! } : e))
}

/**
 * With the schemas that lead to causes, at least one cause. The first cause also names the stubs that decided the trace of the
 * pattern's search function.
 */
function causesOf(
  fold: NearMissFold,
  pass: PassToExplain,
  tracedBy: (entry: number) => readonly StubDecision[],
): Pick<NearMiss, 'causes'> {
  const { causes = fold.causes ?? [] } = withSchemas(fold, pass, pass.guesses?.() ?? NO_GUESSES)
  const [first = unexplained(fold), ...others] = causes
  return { causes: [restsOn(first, tracedBy(fold.entry)), ...others] }
}

const NO_GUESSES: ReadonlyMap<string, GuessedSchema> = new Map()

/** A pass without patterns may be empty because of a stub: its cause names the stubs that decided which code was loaded. */
function restingOn(cause: Cause, stubs: readonly StubDecision[], code: readonly string[]): Cause {
  const { reason } = cause
  if (reason.kind !== 'empty-pass') return cause
  const unwritten = code.length > 0 && !code.some((text) => /\bregister_\w+\s*\(/.test(text))
  if (stubs.length === 0 && !unwritten) return cause
  return withReason(cause, { ...reason, ...(stubs.length > 0 && { stubs }), ...(unwritten && { unwritten }) })
}

/** Lints of the fired patterns of a pass. */
const lintsOf = ({ toExplain, before, after, matches, replacements }: ReportedPass): Lint[] =>
  lintPass({
    entries: toExplain.entries,
    schemaOf: toExplain.schemaOf,
    ...(toExplain.guesses && { guesses: toExplain.guesses }),
    ...(toExplain.untaken && { untaken: toExplain.untaken }),
    before,
    after,
    matches,
    replacements,
  })
