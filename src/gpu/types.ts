/** Programs to execute, and what executing them found. Plain data: crosses to the GPU's worker and into JSON. */
import type { Message } from '../base/message'
import type { Problem, TensorMeta } from '../fx'

export type RunValue =
  | null
  | boolean
  | number
  | string
  | { node: string }
  | { op: string }
  | { dtype: string }
  /** A symbolic size as sympy prints it (`s72`): the run puts a number in its place. */
  | { sym: string }
  /** Text with no meaning to a run: a device, a layout. */
  | { opaque: string }
  | { list: RunValue[] }

export interface RunNode {
  name: string
  target: string
  args: RunValue[]
  kwargs: Record<string, RunValue>
  meta: TensorMeta | null
}

export interface RunInput {
  name: string
  meta: TensorMeta
}

/** Straight-line code: inputs, nodes in order, names of the results. */
export interface RunProgram {
  inputs: RunInput[]
  nodes: RunNode[]
  outputs: string[]
}

/** The matched subgraph and its replacement over the same inputs; outputs correspond by position. */
export interface RunPrograms {
  title: string
  unfused: RunProgram
  fused: RunProgram
}

/**
 * Distribution of inputs. `outliers`: normal, one value in about a thousand 64 times larger. `non-finite`: normal, one
 * value in about a hundred an infinity or NaN. `equal groups`: runs of 128 equal values. `subnormals`: below the
 * dtype's smallest normal number.
 */
export const DISTRIBUTIONS = [
  'normal',
  'uniform',
  'outliers',
  'zeros',
  'non-finite',
  'equal groups',
  'subnormals',
] as const
export type Distribution = (typeof DISTRIBUTIONS)[number]

export interface RunOptions {
  /** Tokens (first dimension of the activations) instead of the match's own. Also the value of symbolic sizes. */
  tokens?: number
  distribution?: Distribution
  seed?: number
  /** Timed samples a side; fewer when they would take longer than `timeBudgetMs`. 0: no timing. */
  samples?: number
  timeBudgetMs?: number
  /** Most elements of an input the reference computes; the rest of the rows are compared between GPU runs only. */
  referenceElements?: number
  /** `reference`: do not touch the GPU. */
  device?: 'webgpu' | 'reference'
  /** False: where the GPU runs, the definitions do not run beside it (whole graphs). */
  definitions?: boolean
  /** The programs are two whole graphs: calls without a kernel are cut out, and the question is whether meaning was kept. */
  whole?: boolean
  /** `.wgsl` files of the workspace: kernels in the place of, or beside, the ones here. */
  kernels?: { name: string; text: string }[]
}

export interface RunProgress {
  stage: 'prepare' | 'reference' | 'gpu' | 'compare' | 'timing'
  text: string
  /** 0 to 1. */
  fraction: number
}

/** One differing element. Values are decoded; `reference` is the unfused definition's, null beyond its rows. */
export interface Difference {
  index: number[]
  a: number
  b: number
  reference: number | null
}

/** Two tensors of equal dtype and shape, element by element. Equal means equal storage codes (any NaN equals any NaN). */
export interface Comparison {
  elements: number
  equal: boolean
  differing: number
  /** differing / elements. */
  share: number
  maxAbs: number
  /** |a - b| / |a|, over the elements where a is not 0. */
  maxRel: number
  /** Most representable values between two differing elements (units in the last place). */
  maxSteps: number
  /** Of `differing`: zero on one side and a float32 subnormal on the other, which a device may take for zero. */
  flushed?: number
  /** Elements where just one side is NaN. */
  nanMismatches: number
  /** ‖a - b‖ / ‖a‖ over the elements where both are finite; 0 when a is 0 there. */
  relNorm: number
  /** Elements by how far apart they are, in codes (units in the last place); the first bin holds the equal ones. */
  histogram: { label: string; count: number }[]
  first: Difference[]
}

export interface OutputReport {
  unfused: string
  fused: string
  dtype: string
  shape: number[]
  stride: number[]
  /** Which device's outputs `pair` compares. */
  device: 'webgpu' | 'reference'
  /** a: unfused, b: fused. */
  pair: Comparison
  /** The definitions themselves compared, on `referenceRows` rows; null where they did not run. */
  referencePair: Comparison | null
  /** a: reference, b: webgpu; on the rows the reference computed. Null without WebGPU. */
  unfusedAgainstReference: Comparison | null
  fusedAgainstReference: Comparison | null
}

export interface StepReport {
  node: string
  target: string
  launches: number
  bytesRead: number
  bytesWritten: number
}

/** Milliseconds of one execution of a side. */
export interface Spread {
  median: number
  q1: number
  q3: number
  min: number
  max: number
  samples: number
  /** Executions timed together in one sample. */
  repeats: number
}

export interface SideReport {
  launches: number
  bytesRead: number
  bytesWritten: number
  steps: StepReport[]
  time: Spread | null
  /** bytesRead + bytesWritten over the median, in 10^9 bytes a second. */
  gbps: number | null
  /** gbps over that of a plain copy timed in the same run. */
  copyShare?: number | null
}

export interface Cause {
  id: string
  /** Completes "the fused kernel …". */
  text: string
  /** True when switching this difference off (with the other proven causes) made the definitions equal. */
  proven: boolean
}

export interface Verdict {
  /**
   * `equal` bit for bit; `close`: codes at most one apart and float32 within 2^-7 of itself, what rounding an
   * intermediate to bfloat16 explains; `cannot run`: see problems.
   */
  kind: 'equal' | 'close' | 'different' | 'cannot run'
  /** `Equal`, `Close`, `Not equal`; null where nothing was compared. */
  headline: string | null
  /** The message after the headline. */
  parts: Message
  /** The text of both. */
  sentence: string
  causes: Cause[]
  /** Ids of the causes that the message names. */
  named: string[]
}

export interface RunReport {
  v: 1
  title: string
  /** Null when WebGPU did not run. `timestamps`: the GPU's own clock was used. */
  device: { name: string; fallback: boolean; timestamps: boolean } | null
  /** Why something could not run, one sentence each: `cannot run: no kernel for aten.mm.default`. */
  problems: string[]
  /** Assumptions and substitutions the reader should know. */
  notes: string[]
  /** Tokens that ran, when the activations have a first dimension to speak of. */
  tokens: number | null
  /** Rows the reference computed; null: all. */
  referenceRows: number | null
  inputs: { name: string; dtype: string; shape: number[] }[]
  outputs: OutputReport[]
  verdict: Verdict
  /** Of whole graphs: calls that were cut out of both, their results made up and their arguments compared. */
  cut?: { target: string; calls: number; reason: string }[]
  /** What is wrong with `.wgsl` files that were given: nothing ran then. */
  kernelProblems?: Problem[]
  unfused: SideReport | null
  fused: SideReport | null
  timing: {
    method: 'timestamp-query' | 'wall clock'
    /** Smallest step of the clock, in nanoseconds, as seen in this run. */
    quantumNs: number
    /** median(unfused) / median(fused). */
    speedup: number
    /** What the bytes alone allow. */
    bytesRatio: number
    /** A copy of about as many bytes as the fused side moves, timed between the others. */
    copy?: { gbps: number; bytes: number; time: Spread } | null
  } | null
}
