/** Checks the form of a run's result: user code can patch the Python that makes it. */
type Check = (value: unknown) => boolean

const text: Check = (v) => typeof v === 'string'
const count: Check = (v) => Number.isSafeInteger(v)
const nullable =
  (check: Check): Check =>
  (v) =>
    v === null || check(v)
const list =
  (check: Check): Check =>
  (v) =>
    Array.isArray(v) && v.every(check)
const tuple =
  (...checks: readonly Check[]): Check =>
  (v) =>
    Array.isArray(v) && v.length >= checks.length && checks.every((check, i) => check(v[i]))
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (v) =>
    typeof v === 'object' && v !== null && Object.entries(checks).every(([k, check]) => check((v as never)[k]))

const place = nullable(tuple(text, count, text))
const asked = tuple(text, text, place)
const decision = tuple(text, text, tuple(text, count, text, text), text, text)
const optional =
  (check: Check): Check =>
  (v) =>
    v === undefined || v === null || check(v)

const failure = fields({
  type: text,
  message: text,
  frames: list(tuple(text, count, nullable(text), nullable(text))),
  traceback: text,
  span: optional(tuple(count, count, count, count)),
  closest: optional(tuple(text, nullable(text))),
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

const anything: Check = (v) => v !== undefined
const metaRead = tuple(text, text, nullable(text))

/** Answers whose content user code can change, by the kind of the call. */
const ANSWERS: Readonly<Record<string, Check>> = {
  trace: tuple(anything, list(decision)),
  extra_check: tuple(anything, list(metaRead), list(decision)),
  handle: (v) => v === null,
  call_pass: (v) => v === null,
  module_names: (v) =>
    typeof v === 'object' && v !== null && Object.values(v).every((names) => list(tuple(text, text))(names)),
  callable_position: nullable(tuple(text, count, text)),
  trace_by: count,
}

/** True if the answer to a call of this kind has its form; true for the kinds that are checked elsewhere. */
export const hasFormOf = (kind: string, answer: unknown): boolean => ANSWERS[kind]?.(answer) ?? true
