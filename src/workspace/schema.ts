/** Schemas of snapshots and workspaces; parses all untrusted input. */
import { config, z } from 'zod'
import { TORCH_VERSIONS } from '../base/torch_version'
import { summarySchema, textFile } from './carried_summary'
import { graphsOf } from './graphs'
import { REGISTRATION_CALL, withCalls } from './registration_calls'
import {
  GROUP_BY,
  PANEL_IDS,
  PLATFORMS,
  type Environment,
  type Selection,
  type Snapshot,
  type ViewState,
  type Workspace,
} from './types'

// Zod would otherwise probe `new Function`, which the page's policy refuses with an error.
config({ jitless: true })

/** Maximum number of files in a workspace. */
export const MAX_FILES = 200
/** Maximum number of additional graphs in a workspace. */
export const MAX_GRAPHS = 200
/** The most that a run on the page may take: a link may be a stranger's. */
const MAX_TIME_LIMIT_S = 60

const text = z.string()
const count = z.number().int().nonnegative()

/** By node name. A text that is no shape stays: the table of inputs shows it with its problem. */
const inputShapes = z.record(z.string().max(1000), z.string().max(2000))

export const environmentSchema = z.object({
  platform: z.enum(PLATFORMS),
  dtype: z.enum(['bfloat16', 'float16', 'float32']),
  tokens: z.number().int().positive().nullable(),
  customOps: z.array(z.string().max(200)).max(500),
  functionalization: z.enum(['v1', 'v2']),
  flags: z.record(z.string().max(200), z.union([z.boolean(), z.number(), z.string().max(2000)])),
  layers: z.record(z.string().max(200), z.string().max(2000)).optional(),
  torch: z.enum(TORCH_VERSIONS).optional(),
}) satisfies z.ZodType<Environment>

const capture = z.object({ name: z.string().max(500), text, run: count, key: z.string().max(100) })

export const workspaceSchema = z
  .object({
    name: z.string().max(500),
    graph: textFile,
    shapes: textFile.optional(),
    inputShapes: inputShapes.optional(),
    graphs: z
      .array(
        textFile.extend({
          shapes: textFile.optional(),
          inputShapes: inputShapes.optional(),
          capture: capture.optional(),
        }),
      )
      .max(MAX_GRAPHS)
      .optional(),
    graphAt: count.optional().catch(undefined),
    files: z.array(textFile).max(MAX_FILES),
    passes: z.array(text).max(1000).optional(),
    options: z.object({
      timeLimitS: z
        .number()
        .positive()
        .max(3600)
        .transform((s) => Math.min(s, MAX_TIME_LIMIT_S)),
    }),
    environment: environmentSchema.optional(),
    capture: capture.optional(),
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
  }) satisfies z.ZodType<Workspace>

const side = z.enum(['before', 'after'])

export const selectionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('node'), side, name: text }),
  z.object({ kind: z.literal('match'), pass: text, index: count }),
  z.object({ kind: z.literal('entry'), pass: text, index: count }),
  z.object({
    kind: z.literal('patternNode'),
    pass: text,
    entry: count,
    index: count,
    part: count.optional(),
    source: z.object({ file: text, line: count }).optional(),
  }),
  z.object({ kind: z.literal('line'), file: text, line: count }),
  z.object({ kind: z.literal('step'), pass: text, entry: count.nullable(), node: text, index: count }),
  z.object({ kind: z.literal('nearMiss'), pass: text, index: count, place: text.optional() }),
]) satisfies z.ZodType<Selection>

export const cameraSchema = z
  .object({ side, node: text, dx: z.number(), dy: z.number(), zoom: z.number().min(0.001).max(10) })
  .optional()
  .catch(undefined)

const look = z
  .object({
    only: z.object({ nodes: z.array(text), up: count, down: count }).optional(),
    hidden: z.array(text).optional(),
    noViews: z.literal(true).optional(),
  })
  .optional()
  .catch(undefined)

const view = z.object({
  // An unknown kind of selection selects nothing; the rest of the link stays valid.
  selection: selectionSchema.nullable().catch(null),
  mode: z.enum(['before', 'after', 'split']).catch('before'),
  panel: z.enum(PANEL_IDS).catch('matches'),
  openFile: text,
  topLine: count.optional().catch(undefined),
  pin: z.object({ pass: text, entry: count, title: text, bindings: text, node: text }).optional().catch(undefined),
  stage: count.optional().catch(undefined),
  camera: cameraSchema,
  cameraBeside: cameraSchema,
  look,
  find: z.string().max(1000).optional().catch(undefined),
  unfolded: z.array(text).optional().catch(undefined),
  groupBy: z.enum(GROUP_BY).optional().catch(undefined),
}) satisfies z.ZodType<ViewState>

export const snapshotSchema = z.object({
  v: z.literal(1),
  workspace: workspaceSchema,
  view,
  summary: summarySchema.nullable(),
}) satisfies z.ZodType<Snapshot>

/** The first issue of a failed parse, as `workspace.files[2].name: …`. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  if (!issue) return 'it does not have the expected structure'
  const path = issue.path.map((p) => (typeof p === 'number' ? `[${p}]` : `.${String(p)}`)).join('')
  return path ? `${path.replace(/^\./, '')}: ${issue.message}` : issue.message
}
