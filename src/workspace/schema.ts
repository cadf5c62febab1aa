/** Schemas of snapshots and workspaces; parses all untrusted input. */
import { z } from 'zod'
import { snapshotFields, workspaceFields } from './fields/fields'
import { graphsOf } from './graphs'
import { REGISTRATION_CALL, withCalls } from './registration_calls'

export { cameraSchema, environmentSchema, MAX_FILES, MAX_GRAPHS, selectionSchema } from './fields/fields'

export const workspaceSchema = workspaceFields
  .extend({
    /** Registration functions to call after the files, `MODULE.FUNCTION`; read as the file that calls them. */
    calls: z.array(z.string().max(500).regex(REGISTRATION_CALL, 'must be MODULE.FUNCTION')).max(500).optional(),
  })
  .transform(({ calls = [], ...w }) => ({ ...w, files: withCalls(w.files, calls) }))
  .refine((w) => new Set(w.files.map((f) => f.name)).size === w.files.length, {
    path: ['files'],
    message: 'has two files of one name',
  })
  .refine((w) => new Set(graphsOf(w).map((g) => g.name)).size === graphsOf(w).length, {
    path: ['graphs'],
    message: 'has two graphs of one name',
  })

export const snapshotSchema = snapshotFields.extend({ workspace: workspaceSchema })

/** The first issue of a failed parse, as `workspace.files[2].name: …`. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  if (!issue) return 'it does not have the expected structure'
  const path = issue.path.map((p) => (typeof p === 'number' ? `[${p}]` : `.${String(p)}`)).join('')
  return path ? `${path.replace(/^\./, '')}: ${issue.message}` : issue.message
}
