/** The part of the stepper that a link carries: the steps around the current one; with its schema. */
import { z } from 'zod'
import type { Step } from '../matcher/steps/types'
import { sourceSchema, type CarriedLine } from './carried'

/** A step with its number in the sender's timeline. */
export interface CarriedStep extends Omit<Step, 'source' | 'reason'> {
  source: CarriedLine | null
}

const text = z.string()
const count = z.number().int().nonnegative()
const level = z.enum(['coarse', 'fine'])

const step = z.object({
  index: count,
  // A kind from a newer Fusescope is shown by its name.
  kind: z.string().max(60) as unknown as z.ZodType<Step['kind']>,
  level,
  depth: count,
  entry: count.nullable(),
  phase: z.enum(['initial', 'specific']).nullable(),
  patternNode: count.nullable(),
  graphNode: text.nullable(),
  source: sourceSchema.nullable(),
  ok: z.boolean().nullable(),
  expected: text.nullable(),
  found: text.nullable(),
  text,
  sentence: text.optional(),
  restores: count.optional(),
  details: z.array(z.tuple([text, text])).optional(),
}) satisfies z.ZodType<CarriedStep>

/** The pattern of an entry, reduced to what its small graph draws. */
const pattern = z
  .object({
    entry: count,
    /** `inputs`: indices of earlier nodes. */
    nodes: z.array(z.object({ name: text, op: text, target: text, inputs: z.array(count) })).max(10_000),
  })
  .refine((p) => p.nodes.every((n, i) => n.inputs.every((j) => j < i)), 'inputs must come first')
export type CarriedPattern = z.infer<typeof pattern>

export const stepsSchema = z
  .object({
    pass: text,
    /** One pattern, or (null) all patterns tried at the node. */
    entry: count.nullable(),
    node: text,
    level,
    /** Number of the current step, from 0. */
    at: count,
    /** Number of steps of the sender's timeline. */
    total: count,
    steps: z.array(step).min(1).max(1000),
    /** PyTorch's text for the current step, if it is a failed verdict. */
    reason: text.optional(),
    patterns: z.array(pattern),
  })
  .refine((s) => s.steps.every((x, i) => i === 0 || s.steps[i - 1]!.index < x.index), 'steps must ascend')
export type CarriedSteps = z.infer<typeof stepsSchema>
