/** Results of a Python run and of its tests: the JSON that Python sends, converted to the types of the engine. */
import { PythonError, type StubDecision } from '../matcher/types'
import { hasRunForm, hasTestsForm } from './calls/run_form'
import { sourceOfFrame, sourceRef, type Frame } from './registration'
import type { EnvironmentAnswer, FileOutcome, FoundStage, PythonFailure, PythonRun, Stub, PythonTest } from './types'

export interface PythonErrorJson {
  type: string
  message: string
  frames: Frame[]
  traceback: string
  /** Facts for advice (_fusescope/suggestions.py); only for files that failed. */
  span?: [line: number, column: number, endLine: number, endColumn: number] | null
  closest?: [name: string, closest: string | null] | null
  unfed?: PythonFailure['unfed'] | null
}

export interface RunJson {
  line: StageJson[]
  files: FileJson[]
  failure: PythonErrorJson | null
  stubs: StubJson[]
  asked: AskedJson[]
  defines: string[]
  bodies: [overload: string, place: [file: string, line: number, name: string]][]
}

type FileJson = Omit<FileOutcome, 'failure'> & { failure: PythonErrorJson | null }
type StubJson = Omit<Stub, 'source' | 'decided'> & { place: LocationJson; decided: DecisionJson[] }
export type DecisionJson = [
  module: string,
  asked: string,
  place: [file: string, line: number, fn: string, code: string],
  answer: string,
  phase: StubDecision['phase'],
]
type LocationJson = [string, number, string] | null
type AskedJson = [
  question: string,
  answer: string,
  place: LocationJson,
  also?: LocationJson[],
  settings?: [name: string, value: string | null][],
]
type StageJson = Omit<FoundStage, 'refused' | 'path' | 'place'> & {
  refused: AskedJson | null
  path: AskedJson | null
  place: LocationJson
}

export interface TestsJson {
  tests: (Omit<PythonTest, 'error'> & { error: PythonErrorJson | null })[]
  stubs: StubJson[]
}

/** The result of a run without console and time. */
export type RunOutcome = Omit<PythonRun, 'console' | 'ms'>

/** @throws PythonError if the result does not have the expected form, because user code changed the code that creates it */
export function runOf(result: unknown): RunOutcome {
  if (!hasRunForm(result))
    throw new PythonError(
      'RuntimeError',
      'the code changed Python itself: the run has no result of the expected form',
      [],
    )
  const { line, files, failure, stubs, asked, bodies, defines } = result as RunJson
  return {
    line: line.map((s) => ({
      ...s,
      refused: s.refused && askedOf(s.refused),
      path: s.path && askedOf(s.path),
      place: sourceRef(s.place) ?? null,
    })),
    passes: line.flatMap(({ variable, passId, refused, path }) =>
      passId === null ? [] : [{ variable, passId, idle: refused !== null || path !== null }],
    ),
    files: files.map((f) => ({ ...f, failure: f.failure && failureOf(f.failure) })),
    failure: failure && failureOf(failure),
    stubs: stubs.map(stubOf),
    asked: asked.map(askedOf),
    ...(defines.length > 0 && { defines }),
    bodies: new Map(bodies.map(([overload, [file, at, fn]]) => [overload, { file, line: at, fn }])),
  }
}

/** The result of a run that our own Python code could not finish. */
export function failedRun({ pythonType: type, message }: PythonError): RunOutcome {
  const failure = { type, message, frames: [], traceback: `${type}: ${message}\n` }
  return { line: [], passes: [], files: [], failure, stubs: [], asked: [], bodies: new Map() }
}

/** @throws PythonError if the results do not have the expected form */
export function testsOf(result: unknown): { tests: PythonTest[]; stubs: PythonRun['stubs'] } {
  if (!hasTestsForm(result))
    throw new PythonError(
      'RuntimeError',
      'the code changed Python itself: the tests have no result of the expected form',
      [],
    )
  const { tests, stubs } = result as TestsJson
  return { tests: tests.map((t) => ({ ...t, error: t.error && failureOf(t.error) })), stubs: stubs.map(stubOf) }
}

const stubOf = ({ place, decided, ...stub }: StubJson): Stub => ({
  ...stub,
  source: sourceRef(place) ?? null,
  ...(decided.length > 0 && { decided: decided.map(decisionOf) }),
})

export const decisionOf = ([module, asked, place, answer, phase]: DecisionJson): StubDecision => ({
  module,
  asked,
  source: sourceOfFrame(place),
  answer,
  phase,
})

function failureOf(e: PythonErrorJson): PythonFailure {
  return {
    type: e.type,
    message: e.message,
    frames: e.frames.map(sourceOfFrame),
    traceback: e.traceback,
    ...(e.span && { span: e.span }),
    ...(e.closest && { closest: e.closest }),
    ...(e.unfed && { unfed: e.unfed }),
  }
}

function askedOf([question, answer, place, more = [], settings = []]: AskedJson): EnvironmentAnswer {
  const also = more.flatMap((p) => sourceRef(p) ?? [])
  return {
    question,
    answer,
    source: sourceRef(place) ?? null,
    ...(also.length > 0 && { also }),
    ...(settings.length > 0 && { settings: settings.map(([name, value]) => ({ name, value })) }),
  }
}
