/** Upgrades old snapshots: one upgrader per version, each to the next. */
import { err, ok, type Problem, type Result } from '../base/result'
import { firstIssue, snapshotSchema } from './schema'
import type { Snapshot } from './types'

/** Version that this Fusescope writes. */
export const CURRENT_VERSION = 1

/**
 * Upgraders by the version they read: `1: (snapshot) => …` turns version 1 into version 2. Never edit one that has shipped; when
 * the Snapshot changes, raise CURRENT_VERSION and add the step from the previous version.
 */
export const UPGRADERS: Readonly<Record<number, (snapshot: unknown) => unknown>> = {}

/**
 * Brings a snapshot of a known version up to the current one and checks it.
 * @param value parsed JSON, from anywhere
 * @param what name of the source, for messages: `link`, `mine.fusescope.json`
 */
export function upgrade(
  value: unknown,
  what: string,
  upgraders = UPGRADERS,
  current = CURRENT_VERSION,
): Result<Snapshot> {
  const version = versionOf(value)
  if (version === null)
    return err(problem(what, `${subject(what)} is not a Fusescope snapshot: it has no version.`, 'v: 1'))
  if (version > current) return err(newer(what, version, current))
  let upgraded = value
  for (let v = version; v < current; v++) {
    const step = upgraders[v]
    if (!step) return err(problem(what, `${subject(what)} has version ${v}, which does not exist.`))
    try {
      upgraded = step(upgraded)
    } catch {
      return err(problem(what, `${subject(what)} is damaged: it is not a snapshot of version ${v}.`))
    }
  }
  const parsed = snapshotSchema.safeParse(upgraded)
  if (!parsed.success) return err(problem(what, `${subject(what)} is damaged: ${firstIssue(parsed.error)}.`))
  return ok(parsed.data)
}

/** Message for a snapshot of a later version. */
export function newer(what: string, version: number, current = CURRENT_VERSION): Problem {
  return problem(
    what,
    `${subject(what)} was written by a newer Fusescope (version ${version}; this one reads up to ${current}). Reload the page to update Fusescope.`,
    `version ${current} or older`,
    `version ${version}`,
  )
}

/** Makes a Problem for a source without lines. */
export function problem(what: string, message: string, expected?: string, found?: string): Problem {
  return { file: what, line: 1, column: 1, message, ...(expected && { expected }), ...(found && { found }) }
}

/** `The link`, or the file's name, as the beginning of a sentence. */
export function subject(what: string): string {
  return what === 'link' ? 'The link' : what
}

function versionOf(value: unknown): number | null {
  const v = typeof value === 'object' && value !== null ? (value as { v?: unknown }).v : undefined
  return typeof v === 'number' && Number.isInteger(v) && v >= 1 ? v : null
}
