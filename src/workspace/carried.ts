/**
 * The parts of near misses, a pin, a GPU run and a stage that a link carries, which its reader sees before Python runs; with their
 * schema.
 */
import { z } from 'zod'
import type { Message } from '../base/message'
import type { Cause } from '../explain/causes'
import type { Fix, NumbersDetail } from '../explain/fixes/types'
import type { NearMissFold } from '../explain/near_misses'

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
  /** Its index in the sender's report, which a selection refers to. */
  index: number
  why: Message
  /** All nodes align but the graph lacks shapes; `node` is the first such node. */
  unshaped?: { node: string; nodes: string[] }
  causes: CarriedCause[]
}

const text = z.string()
const count = z.number().int().nonnegative()
const names = z.array(text)

/** A source line without its text, which is in the workspace. */
export const sourceSchema = z.object({ file: text, line: count })
export type CarriedLine = z.infer<typeof sourceSchema>
const message: z.ZodType<Message> = z.array(
  z.union([
    text,
    z.object({ node: text, side: z.literal('after').optional() }),
    z.object({ operator: text }),
    z.object({ source: sourceSchema }),
    z.object({ code: text }),
    z.object({ note: text }),
  ]),
)

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
  // A kind from a newer Fusescope is shown by its name.
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

/** The last GPU run, in words. */
export const runSchema = z.object({
  title: text,
  good: z.boolean(),
  /** The color of the result, with the names of `Verdict` in src/gpu; absent in links of earlier versions. */
  kind: z.enum(['equal', 'close', 'different', 'cannot run']).optional(),
  /** `Equal`, `Close`, `Not equal`; null if nothing was compared. */
  headline: text.nullable(),
  parts: message,
  /** Outputs, times, the device: one line each. */
  lines: names,
})
export type CarriedRun = z.infer<typeof runSchema>

/** The answer about the pinned pair: whether the pattern fires at the node, and why it does not. */
export const pinSchema = z.object({ fires: z.boolean(), miss: nearMissSchema.optional() })
export type CarriedPin = z.infer<typeof pinSchema>

/** The graph after a stage of the pipeline. */
export const stageSchema = z.object({
  /** Number of the stage, 0 the original graph. */
  at: count,
  /** The stage's name on the canvas. */
  title: text,
  /** As print_readable. */
  graph: z.object({ name: text, text }),
  /** Names of the nodes that the stage added. */
  added: names,
  /** Names of the nodes that the stage removed, which are not in `graph`. */
  removed: names,
})
export type CarriedStage = z.infer<typeof stageSchema>
