/**
 * Schema of the lesson.json of a lesson that is not part of the site. The site's lessons have the additional fields of
 * src/engine/lessons/catalog.ts.
 */
import { z } from 'zod'
import type { CauseKind } from '../explain/causes'
import type { LintKind } from '../explain/lints/types'
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

// A kind from a newer Fusescope counts as different from all known kinds.
const causeKind = text as unknown as z.ZodType<CauseKind>
const lintKind = text as unknown as z.ZodType<LintKind>

/** A fact about the result of a workspace. `npm run lessons` checks claims, and the page checks goals, with the same code. */
const check = z.discriminatedUnion('check', [
  /** Number of matches; `graph` counts on another graph of the workspace. */
  z.object({ check: z.literal('matches'), count, pass: text.optional(), graph: text.optional() }),
  /** Matches at these anchors; with `only`, at no other. */
  z.object({ check: z.literal('fires'), at: texts, only: z.boolean().optional() }),
  z.object({ check: z.literal('silent'), at: texts }),
  /** The first cause: of the near miss at an anchor, or of the whole result. */
  z.object({ check: z.literal('cause'), kind: causeKind, at: text.optional(), says }),
  z.object({ check: z.literal('near-misses'), count }),
  /** `texts`: number of different patterns in stage one. */
  z.object({ check: z.literal('entries'), count, fired: count.optional(), texts: count.optional() }),
  /** PatternPrettyPrinter's text of an entry. */
  z.object({ check: z.literal('pattern'), entry: count.optional(), ...has }),
  z.object({ check: z.literal('attempt'), at: text, phase, ok: z.boolean(), entry: count.optional(), says }),
  /** Number of entries that a stage accepts at an anchor. */
  z.object({ check: z.literal('accepted'), at: text, phase, count }),
  /** Targets and node names of the graph, before or after the passes. */
  z.object({ check: z.literal('graph'), side: z.enum(['before', 'after']), nodes: count.optional(), ...has }),
  z.object({ check: z.literal('users'), node: text, count }),
  z.object({ check: z.literal('violations'), count }),
  z.object({ check: z.literal('lint'), kind: lintKind, absent: z.literal(true).optional() }),
  /** Python raised; parts of its message. */
  z.object({ check: z.literal('raises'), says: texts }),
  /** Parts of a file's text. */
  z.object({ check: z.literal('file'), file: text, ...has }),
  /** Every match computes the same values before and after, on the reference device; `close` includes equal values unless `exactly`. */
  z.object({
    check: z.literal('numbers'),
    is: z.enum(['equal', 'close', 'different']),
    exactly: z.literal(true).optional(),
  }),
  /** Graph nodes in the order in which the matcher visits them; checked by the command only. */
  z.object({ check: z.literal('visits'), at: text, entry: count.optional(), nodes: texts }),
])
export type Check = z.infer<typeof check>

/** An edit of a file, as in "find and replace". `find` occurs once. */
const edit = z.object({ file: text, find: text, replace: text })
export type LessonEdit = z.infer<typeof edit>
const edits = z.array(edit).max(100)

/** A typical wrong answer, and Why not's answer to it: the kind of the cause, `python` for an exception, or null for none. */
const wrong = z.object({ edits, cause: (text as unknown as z.ZodType<CauseKind | 'python'>).nullable(), says })
export type WrongAnswer = z.infer<typeof wrong>

const exercise = z.object({
  goal: z.array(check).max(100),
  /** Revealed one at a time. */
  hints: texts,
  solution: edits,
  wrong: z.array(wrong).max(100),
  /** True if the graph is part of the exercise; absent: it must stay unchanged. */
  editGraph: z.boolean().optional(),
})
export type Exercise = z.infer<typeof exercise>

const step = z.object({
  id,
  /** Key in the lesson's workspaces; absent: the previous step's. */
  workspace: id.optional(),
  select: selectionSchema.optional(),
  mode: z.enum(['before', 'after', 'split']).optional(),
  panel: z.enum(PANEL_IDS).optional(),
  /** The tab of the editor, and a text in it to scroll to. */
  open: z.object({ file: text, at: text.optional() }).optional(),
  /** Absent: the canvas shows the selection, or the first view. */
  camera: cameraSchema,
  /** Opens the timeline of an attempt. */
  timeline: z.object({ node: text, entry: count.nullable() }).optional(),
  /** Shows the patterns of both stages at an anchor side by side. */
  traces: z.object({ at: text, entry: count }).optional(),
  /** Facts that the text states. */
  claims: z.array(check).max(200).optional(),
  exercise: exercise.optional(),
})
export type OwnLessonStep = z.infer<typeof step>

/** Paths in the lesson's folder. A file's name is the part after `files/`, or the last part of its path. */
const workspace = z.object({
  graph: fileNameSchema,
  /** A second text of the graph with shapes, when `graph` is a print(graph). */
  shapes: fileNameSchema.optional(),
  graphs: z.array(fileNameSchema).max(200).optional(),
  files: z.array(fileNameSchema).max(200),
  environment: environmentSchema.optional(),
  passes: texts.optional(),
})
/** In a lesson of the site, `example/ID/FILE` is a file of an example. */
export type LessonWorkspace = z.infer<typeof workspace>

export const lessonFileSchema = z.object({
  order: z.number(),
  summary: text,
  minutes: z.number().positive().max(1000),
  workspaces: z.record(id, workspace).refine((all) => Object.keys(all).length > 0, 'has no workspace'),
  steps: z.array(step).min(1, 'has no step').max(200),
})
