/** Checks the form of a run's result. */
import { count, fields, list, nullable, optional, text, tuple, type Check } from './checks'

const place = nullable(tuple(text, count, text))
const asked: Check = (v) =>
  tuple(text, text, place)(v) &&
  optional(list(place))((v as unknown[])[3]) &&
  optional(list(tuple(text, nullable(text))))((v as unknown[])[4])
/** A DecisionJson (run_json.ts). */
export const decision = tuple(text, text, tuple(text, count, text, text), text, text)
const failure = fields({
  type: text,
  message: text,
  frames: list(tuple(text, count, nullable(text), nullable(text))),
  traceback: text,
  span: optional(tuple(count, count, count, count)),
  closest: optional(tuple(text, nullable(text))),
  unfed: optional(tuple(tuple(text, count, text), count, count, text)),
})

const stubs = list(fields({ module: text, asked: list(text), place, decided: list(decision) }))

const run = fields({
  line: list(
    fields({
      variable: text,
      passId: nullable(count),
      callable: nullable(count),
      of: nullable(text),
      hook: nullable(text),
      manager: nullable(text),
      refused: nullable(asked),
      path: nullable(asked),
      uuid: nullable(text),
      place,
      why: optional(text),
      note: optional(text),
      proposed: optional((v) => v === true),
      within: optional((v) => v === true),
      unmade: optional((v) => v === true),
      override: optional((v) => v === true),
    }),
  ),
  files: list(
    fields({
      file: text,
      module: text,
      registered: count,
      failure: nullable(failure),
      stoppedBy: nullable(text),
      uncalled: list(text),
    }),
  ),
  failure: nullable(failure),
  stubs,
  asked: list(asked),
  defines: list(text),
  bodies: list(tuple(text, tuple(text, count, text))),
})

const tests = fields({
  tests: list(
    fields({
      name: text,
      file: text,
      line: count,
      outcome: (v) => v === 'passed' || v === 'failed' || v === 'skipped',
      message: nullable(text),
      error: nullable(failure),
      ms: (v) => typeof v === 'number',
    }),
  ),
  stubs,
})

/** True for a RunJson (run_json.ts). */
export const hasRunForm = (value: unknown): boolean => run(value)

/** True for a TestsJson. */
export const hasTestsForm = (value: unknown): boolean => tests(value)

/** True for the answer to any call: `{ ok }`, or `{ error }` with an exception. */
export const hasAnswerForm = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && ('ok' in value || ('error' in value && failure(value.error)))
