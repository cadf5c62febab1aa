/** What a link carries of near misses, a pin, a GPU run and a stage, for its reader to see before any Python; and its schema. */
import { z } from 'zod'
import type { Message } from '../base/message'
import type { Cause } from '../explain/causes'
import type { Fix, NumbersDetail } from '../explain/fixes/types'
import type { NearMissFold } from '../explain/near_misses'

/** A source line without its text, which the workspace has. */
export interface CarriedLine {
  file: string
  line: number
}

export interface CarriedCause extends Pick<
  Cause,
  'kind' | 'patternNode' | 'graphNode' | 'argument' | 'expected' | 'found' | 'stage' | 'minor'
> {
  source: CarriedLine | null
  parts: Message
  fixes?: Fix[]
  tried?: Fix[]
}

export interface CarriedNearMiss extends Pick<
  NearMissFold,
  'entry' | 'phase' | 'count' | 'anchors' | 'aligned' | 'differing' | 'score' | 'of'
> {
  /** As in the sender's report: a selection refers to it. */
  index: number
  why: Message
  /** All nodes align and the graph lacks shapes; `node` is the first of them. */
  unshaped?: { node: string; nodes: string[] }
  causes: CarriedCause[]
}

/** What the comparison of a GPU run found, as `Verdict` of src/gpu names it. */
const COMPARISONS = ['equal', 'close', 'different', 'cannot run'] as const
type Comparison = (typeof COMPARISONS)[number]

/** The last GPU run, in words. */
export interface CarriedRun {
  title: string
  good: boolean
  /** The color of the result; absent in links of earlier versions. */
  kind?: Comparison
  /** `Equal`, `Close`, `Not equal`; null if nothing was compared. */
  headline: string | null
  parts: Message
  /** Outputs, times, the device: one line each. */
  lines: string[]
}

/** The answer about the pinned pair. */
export interface CarriedPin {
  /** The pattern fires at the node. */
  fires: boolean
  /** Why it does not fire; absent if it fires. */
  miss?: CarriedNearMiss
}

/** The graph after a stage of the pipeline. */
export interface CarriedStage {
  /** Number of the stage, 0 the original graph. */
  at: number
  /** The stage as the canvas names it. */
  title: string
  /** As print_readable. */
  graph: { name: string; text: string }
  /** Names of the nodes that the stage added. */
  added: string[]
  /** Names of the nodes that the stage removed, which are not in `graph`. */
  removed: string[]
}

const text = z.string()
const count = z.number().int().nonnegative()
const names = z.array(text)

export const sourceSchema = z.object({ file: text, line: count })
const message = z.array(
  z.union([
    text,
    z.object({ node: text, side: z.literal('after').optional() }),
    z.object({ operator: text }),
    z.object({ source: sourceSchema }),
    z.object({ code: text }),
    z.object({ note: text }),
  ]),
) satisfies z.ZodType<Message>

const position = z.object({ line: count, column: count })
const numbersDetail = z.object({
  kinds: count,
  compared: count,
  inputs: names,
  output: text.nullable(),
  input: text.nullable(),
  maxAbs: z.number().nullable(),
  maxRel: z.number().nullable(),
  nanMismatches: count.optional(),
  known: names.optional(),
  operator: text.nullable(),
  untraced: text.optional(),
  reason: text.nullable(),
  unsafe: text.optional(),
  dtype: z.object({ output: count, before: text, after: text }).optional(),
  sizesDividedBy: count.optional(),
  timedOut: z.literal(true).optional(),
  ms: z.number(),
}) satisfies z.ZodType<NumbersDetail>

const fix = z.object({
  title: text,
  changes: names.optional(),
  kind: z.enum(['python', 'pattern', 'graph', 'pass']),
  edits: z.array(z.object({ file: text, from: position, to: position, text })),
  diff: text,
  verified: z.boolean(),
  numbers: z.enum(['equal', 'close', 'different', 'unknown']),
  numbersDetail,
  matchesBefore: count,
  matchesAfter: count,
}) satisfies z.ZodType<Fix>

const phase = z.enum(['initial', 'specific'])

const cause = z.object({
  // A kind that a newer Fusescope has is shown by its name.
  kind: z.string().max(60) as unknown as z.ZodType<Cause['kind']>,
  patternNode: count.nullable(),
  graphNode: text.nullable(),
  argument: text.nullable(),
  expected: text.nullable(),
  found: text.nullable(),
  stage: phase.nullable(),
  minor: z.literal(true).optional(),
  source: sourceSchema.nullable(),
  parts: message,
  fixes: z.array(fix).optional(),
  tried: z.array(fix).optional(),
}) satisfies z.ZodType<CarriedCause>

export const nearMissSchema = z.object({
  index: count,
  entry: count,
  phase,
  count,
  anchors: names.min(1),
  aligned: names,
  differing: count.optional(),
  score: z.number().optional(),
  of: count.optional(),
  why: message,
  unshaped: z.object({ node: text, nodes: names }).optional(),
  causes: z.array(cause).min(1),
}) satisfies z.ZodType<CarriedNearMiss>

export const runSchema = z.object({
  title: text,
  good: z.boolean(),
  kind: z.enum(COMPARISONS).optional(),
  headline: text.nullable(),
  parts: message,
  lines: names,
}) satisfies z.ZodType<CarriedRun>

export const pinSchema = z.object({
  fires: z.boolean(),
  miss: nearMissSchema.optional(),
}) satisfies z.ZodType<CarriedPin>

export const stageSchema = z.object({
  at: count,
  title: text,
  graph: z.object({ name: text, text }),
  added: names,
  removed: names,
}) satisfies z.ZodType<CarriedStage>
