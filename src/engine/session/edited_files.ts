/** Decides which edits of a workspace may be answered from its last run, and whether that answer equals the run's. */
import { pythonFiles } from '../../workspace/python_files'
import type { Workspace } from '../../workspace/types'
import type { Report } from '../protocol'
import { RecordingRegistry } from '../run/recording_registry'
import type { Registrations } from '../run/interpreter'
import type { Run } from '../run/run'

/** @param ignored names of fields whose values may differ */
function isEqual(a: unknown, b: unknown, ignored: ReadonlySet<string> = NONE): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [one, other] = [fieldsOf(a), fieldsOf(b)]
  return (
    one.length === other.length &&
    one.every(
      ([name, value]) => ignored.has(name) || (Object.hasOwn(b, name) && isEqual(value, fieldOf(b, name), ignored)),
    )
  )
}

const NONE: ReadonlySet<string> = new Set()

/** As in JSON, an undefined field is absent. */
const fieldsOf = (value: object): [string, unknown][] => Object.entries(value).filter(([, v]) => v !== undefined)

const fieldOf = (value: object, name: string): unknown => (value as Record<string, unknown>)[name]

/** Fields of a workspace that no run reads, and the field that was edited. */
const APART: ReadonlySet<string> = new Set(['name', 'options', 'files'])

const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/

export interface Edited {
  registrations: Registrations<RecordingRegistry>
  /** All files that Python runs, and the changed ones. */
  files: Workspace['files']
  changed: Workspace['files']
}

/**
 * The files of a workspace that differ from those of a run, possibly none. Null if anything else differs, or if the report depends
 * on more of the run than its patterns.
 */
export function editedFiles(run: Run, before: Workspace, now: Workspace): Edited | null {
  const { registry, python, holding } = run.registrations
  const files = pythonFiles(now)
  const printed = run.console.length > 0 || python.console.length > 0
  if (!(registry instanceof RecordingRegistry) || run.failure || printed || now.capture) return null
  // Tests are imported once.
  if (files.some((f) => TEST_FILE.test(f.name))) return null
  if (files.length !== run.files.length || files.some((f, i) => f.name !== run.files[i]!.name)) return null
  const others = (w: Workspace): object => Object.fromEntries(Object.entries(w).filter(([k]) => !APART.has(k)))
  if (!isEqual(others(before), others(now))) return null
  const changed = files.filter((f, i) => f.text !== run.files[i]!.text)
  return { registrations: { registry, python, holding }, files, changed }
}

const TIMES: ReadonlySet<string> = new Set(['ms', 'applyMs', 'timings'])

/** True if two reports differ only in times. */
export const isSameReport = (a: Report, b: Report): boolean => isEqual(a, b, TIMES)
