/** The short result that a link carries, shown before Python has started; with its schema. */
import { z } from 'zod'
import { nearMissSchema, pinSchema, runSchema, stageSchema } from './carried'
import { stepsSchema } from './carried_steps'

const text = z.string()
const count = z.number().int().nonnegative()

export const fileNameSchema = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => !/[\0\\]|^\/|(^|\/)\.\.(\/|$)/.test(name), 'must be a plain file name')

export const textFile = z.object({ name: fileNameSchema, text })

const fired = z.object({
  entry: count,
  title: text,
  /** 0 for a pattern that did not fire and has a near miss in the link. */
  count,
  /** The pattern's result that the sender saw; absent in old links. */
  letter: z.string().max(8).optional().catch(undefined),
  colour: count.max(7).optional().catch(undefined),
  /** Bindings that distinguish it from others with its title; absent if none, and in old links. */
  bindings: z.record(text, text).optional().catch(undefined),
})
export type FiredSummary = z.infer<typeof fired>

const pass = z.object({
  name: text,
  count,
  entries: count,
  fired: z.array(fired),
  /** Near misses of an unknown form are dropped; the run here finds them again. Absent if there are none, and in old links. */
  nearMisses: z.array(nearMissSchema).optional().catch(undefined),
  /** Number of near misses that the link leaves out. */
  nearMissesLeftOut: count.optional().catch(undefined),
})
export type PassSummary = z.infer<typeof pass>

const match = z.object({
  pass: text,
  index: count,
  entry: count,
  /** Anchor node. */
  node: text,
  nodes: z.array(text),
  /** Nodes of the replacement; absent if the link does not carry the graph after the passes. */
  added: z.array(text).optional(),
})
export type SummaryMatch = z.infer<typeof match>

export const summarySchema = z.object({
  nodesBefore: count,
  nodesAfter: count.nullable(),
  passes: z.array(pass),
  /** Sentences: near misses, errors. */
  notes: z.array(text),
  /** Lets the page of a link highlight the nodes before its code runs. Absent in old links and for long lists. */
  matches: z.array(match).optional(),
  /** The result in the Run panel; absent if nothing was run, and in old links. */
  run: runSchema.optional().catch(undefined),
  /** The open timeline around its step; absent unless a step is selected, and in old links. */
  steps: stepsSchema.optional().catch(undefined),
  /** The answer about `view.pin`; absent if nothing is pinned, and in old links. */
  pin: pinSchema.optional().catch(undefined),
  /** The graph after the passes as print_readable; absent unless it is on screen, and in old links. */
  after: z.object({ graph: textFile }).optional().catch(undefined),
  /** The graph after a stage of the pipeline; absent unless it is on screen, and in old links. */
  stage: stageSchema.optional().catch(undefined),
})

/** `recorded`: the PyTorch version that recorded this; absent in links, where the summary is the sender's result. */
export type ReportSummary = z.infer<typeof summarySchema> & { recorded?: string }
