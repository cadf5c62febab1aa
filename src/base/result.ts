/**
 * A value, or the problem in user input. Functions that read user input return a Result and never throw for bad input;
 * an exception is a bug in Fusescope.
 */
export type Result<T, E = Problem> = { ok: true; value: T } | { ok: false; error: E }

/** The location of a problem. Lines and columns count from 1. `file` is the name under which the user knows the text. */
export interface Place {
  file: string
  line: number
  column: number
}

/** A problem in user input: position, found text, expectation. */
export interface Problem extends Place {
  /** One plain sentence that can stand alone on stderr or in a banner. */
  message: string
  found?: string
  expected?: string
}

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value })
export const err = <E>(error: E): { ok: false; error: E } => ({ ok: false, error })

/** `file:line:column: message`, the form every surface prints. */
export function formatProblem(p: Problem): string {
  return `${p.file}:${p.line}:${p.column}: ${p.message}`
}
