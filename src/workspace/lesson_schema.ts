/** Schema of the lesson.json of a lesson that is not part of the site. Its types are in src/app/features/lessons/catalog.ts. */
import { z } from 'zod'
import { fileNameSchema } from './carried_summary'
import { cameraSchema, environmentSchema, selectionSchema } from './schema'
import { PANEL_IDS } from './types'

const text = z.string().max(20_000)
const id = z.string().regex(/^[\w-]{1,80}$/, 'must consist of letters, digits, - and _')
const count = z.number().int().nonnegative()
const texts = z.array(text).max(1000)
const says = texts.optional()
const phase = z.enum(['initial', 'specific'])
const has = { has: says, lacks: says }

const check = z.discriminatedUnion('check', [
  z.object({ check: z.literal('matches'), count, pass: text.optional(), graph: text.optional() }),
  z.object({ check: z.literal('fires'), at: texts, only: z.boolean().optional() }),
  z.object({ check: z.literal('silent'), at: texts }),
  z.object({ check: z.literal('cause'), kind: text, at: text.optional(), says }),
  z.object({ check: z.literal('near-misses'), count }),
  z.object({ check: z.literal('entries'), count, fired: count.optional(), texts: count.optional() }),
  z.object({ check: z.literal('pattern'), entry: count.optional(), ...has }),
  z.object({ check: z.literal('attempt'), at: text, phase, ok: z.boolean(), entry: count.optional(), says }),
  z.object({ check: z.literal('accepted'), at: text, phase, count }),
  z.object({ check: z.literal('graph'), side: z.enum(['before', 'after']), nodes: count.optional(), ...has }),
  z.object({ check: z.literal('users'), node: text, count }),
  z.object({ check: z.literal('violations'), count }),
  z.object({ check: z.literal('lint'), kind: text, absent: z.literal(true).optional() }),
  z.object({ check: z.literal('raises'), says: texts }),
  z.object({ check: z.literal('file'), file: text, ...has }),
  z.object({
    check: z.literal('numbers'),
    is: z.enum(['equal', 'close', 'different']),
    exactly: z.literal(true).optional(),
  }),
  z.object({ check: z.literal('visits'), at: text, entry: count.optional(), nodes: texts }),
])

const edits = z.array(z.object({ file: text, find: text, replace: text })).max(100)

const exercise = z.object({
  goal: z.array(check).max(100),
  hints: texts,
  solution: edits,
  wrong: z.array(z.object({ edits, cause: text.nullable(), says })).max(100),
  editGraph: z.boolean().optional(),
})

const step = z.object({
  id,
  workspace: id.optional(),
  select: selectionSchema.optional(),
  mode: z.enum(['before', 'after', 'split']).optional(),
  panel: z.enum(PANEL_IDS).optional(),
  open: z.object({ file: text, at: text.optional() }).optional(),
  camera: cameraSchema,
  timeline: z.object({ node: text, entry: count.nullable() }).optional(),
  traces: z.object({ at: text, entry: count }).optional(),
  claims: z.array(check).max(200).optional(),
  exercise: exercise.optional(),
})

const workspace = z.object({
  graph: fileNameSchema,
  shapes: fileNameSchema.optional(),
  graphs: z.array(fileNameSchema).max(200).optional(),
  files: z.array(fileNameSchema).max(200),
  environment: environmentSchema.optional(),
  passes: texts.optional(),
})

export const lessonFileSchema = z.object({
  order: z.number(),
  summary: text,
  minutes: z.number().positive().max(1000),
  workspaces: z.record(id, workspace).refine((all) => Object.keys(all).length > 0, 'has no workspace'),
  steps: z.array(step).min(1, 'has no step').max(200),
})
