/** Outcomes of the user files in a report: files that failed or register late, and their text. */
import { plainText } from '../../base/message'
import type { Cause } from '../protocol'
import type { FileOutcome, PythonFailure } from '../../python/types'
import { count } from '../../base/english'

/** The outcomes, if any is more than "the file ran". */
export function notableFiles(files: readonly FileOutcome[]): FileOutcome[] | undefined {
  return files.some((f) => f.failure || f.stoppedBy !== null || f.uncalled.length > 0) ? [...files] : undefined
}

/** The exceptions of files that stopped only themselves and the files that import them. */
export const fileFailures = (files: readonly FileOutcome[] | undefined): PythonFailure[] =>
  (files ?? []).flatMap((f) => f.failure ?? [])

/**
 * Files that registered less than they would have. Files with their own exception come first, the one that stops most others first,
 * then the files that import such a file.
 */
export function failedFiles(files: readonly FileOutcome[] = []): FileOutcome[] {
  const stops = (f: FileOutcome): number => (f.failure ? 1 + files.filter((o) => o.stoppedBy === f.file).length : 0)
  return files.filter((f) => f.failure || f.stoppedBy !== null).toSorted((a, b) => stops(b) - stops(a))
}

/** Reasons that explain an exception of register_replacement. */
const REFUSALS: ReadonlySet<string> = new Set(['none-output', 'no-operator', 'duplicate-pattern'])

/** `ValueError: no`, with the advice; an exception of register_replacement whose cause is known begins with the cause. */
export function failureText(failure: PythonFailure, causes: readonly Cause[] = []): string {
  const { type, message } = failure
  const cause = causes.find((c) => REFUSALS.has(c.reason.kind))
  return cause ? `${plainText(cause.parts)} (${type}: ${message.split('\n')[0]})` : advisedText(failure)
}

/** `NameError: name 'w1' is not defined. Did you mean w?` */
export const advisedText = ({ type, message, advice }: PythonFailure): string =>
  advice === undefined ? `${type}: ${message}` : `${type}: ${message}${/[.!?]\s*$/.test(message) ? '' : '.'} ${advice}`

/** `2 patterns`, `stopped by a.py`, or `ValueError at line 3: no`; the line of another file with its name. */
export function outcomeText({ file, registered, failure, stoppedBy }: FileOutcome): string {
  const at = failure?.frames.at(-1)
  if (failure) {
    const place = at === undefined ? '' : at.file === file ? ` at line ${at.line}` : ` at ${at.file}:${at.line}`
    return `${failure.type}${place}: ${advisedText(failure).slice(failure.type.length + 2)}`
  }
  return stoppedBy === null ? count(registered, 'pattern') : `not reached: imports ${stoppedBy}, which failed`
}

/** The functions that register patterns and that no file calls, as `MODULE.FUNCTION`. */
export const uncalledIn = (files: readonly FileOutcome[] | undefined): string[] =>
  (files ?? []).flatMap((f) => f.uncalled.map((name) => `${f.module}.${name}`))
