/** Programs to execute, and the results. Plain data: crosses to the GPU's worker and into JSON. */
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
  /** A symbolic size in sympy's notation (`s72`), which the run replaces with a number. */
  | { sym: string }
  /** Text without effect on a run: a device, a layout. */
  | { opaque: string }
  | { list: RunValue[] }

export interface RunNode {
  name: string
  target: string
  args: RunValue[]
  kwargs: Record<string, RunValue>
  meta: TensorMeta | null
  /** What computes the call where it has no kernel: the user's Python function, or the operators that PyTorch traces it to. */
  body?: RunBody
  /** The reason why that function cannot be used: `its body cannot be traced at p.py:12: …`. */
  untraced?: string
}

/** A call's computation: nodes, which refer to the values before the call by name, and its result. */
export interface RunBody {
  nodes: RunNode[]
  result: RunValue
}

export interface RunInput {
  name: string
  meta: TensorMeta
}

/** Straight-line code: inputs, nodes in order, and the names of the results. */
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
  /** Number of timed samples per side; fewer if they would take longer than `timeBudgetMs`. 0: no timing. */
  samples?: number
  timeBudgetMs?: number
  /** Maximum elements of an input for the reference; other rows are compared between GPU runs only. */
  referenceElements?: number
  /** `reference`: do not use the GPU. */
  device?: 'webgpu' | 'reference'
  /** False: if the GPU runs, the definitions do not (whole graphs). */
  definitions?: boolean
  /**
   * True if the programs are two whole graphs: calls without a kernel are cut out, and the verdict is whether the
   * results are preserved.
   */
  whole?: boolean
  /** `.wgsl` files of the workspace: kernels that replace or extend the built-in ones. */
  kernels?: { name: string; text: string }[]
  /** Milliseconds for the loops of a user kernel before it is stopped. Default 3,000. */
  kernelBudgetMs?: number
}

export interface RunProgress {
  stage: 'prepare' | 'reference' | 'gpu' | 'compare' | 'timing'
  text: string
  /** 0 to 1. */
  fraction: number
}

/** One differing element. Values are decoded; `reference` is the unfused definition's value, null beyond its rows. */
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
  /** Maximum number of representable values between two differing elements (units in the last place). */
  maxSteps: number
  /** Of `differing`: zero on one side and a float32 subnormal on the other, which a device may flush to zero. */
  flushed?: number
  /** Number of elements that are NaN on one side only. */
  nanMismatches: number
  /** ‖a - b‖ / ‖a‖ over the elements where both are finite; 0 when a is 0 there. */
  relNorm: number
  /** Number of elements by distance, in codes (units in the last place); the first bin holds the equal ones. */
  histogram: { label: string; count: number }[]
  first: Difference[]
}

export interface OutputReport {
  unfused: string
  fused: string
  dtype: string
  shape: number[]
  stride: number[]
  /** The device whose outputs `pair` compares. */
  device: 'webgpu' | 'reference'
  /** a: unfused, b: fused. */
  pair: Comparison
  /** Comparison of the definitions themselves, on `referenceRows` rows; null if they did not run. */
  referencePair: Comparison | null
  /** a: reference, b: webgpu; on the rows that the reference computed. Null without WebGPU. */
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
  /** Number of executions timed together in one sample. */
  repeats: number
}

export interface SideReport {
  launches: number
  bytesRead: number
  bytesWritten: number
  steps: StepReport[]
  time: Spread | null
  /** bytesRead + bytesWritten over the median time, in 10^9 bytes per second. */
  gbps: number | null
  /** gbps relative to that of a plain copy timed in the same run. */
  copyShare?: number | null
}

export interface Cause {
  id: string
  /** Completes "the fused kernel …". */
  text: string
  /** True if switching this difference off (with the other proven causes) made the definitions equal. */
  proven: boolean
}

export interface Verdict {
  /**
   * `equal`: bit for bit; `close`: codes at most one apart and float32 within 2^-7 of the value, which rounding an
   * intermediate to bfloat16 explains; `cannot run`: see problems.
   */
  kind: 'equal' | 'close' | 'different' | 'cannot run'
  /** `Equal`, `Close`, `Not equal`; null if nothing was compared. */
  headline: string | null
  /** The message after the headline. */
  parts: Message
  /** Headline and message as plain text. */
  sentence: string
  causes: Cause[]
  /** Ids of the causes that the message names. */
  named: string[]
}

export interface RunReport {
  v: 1
  title: string
  /** Null if WebGPU did not run. `timestamps`: the GPU's own clock was used. */
  device: { name: string; fallback: boolean; timestamps: boolean } | null
  /** Reasons why something could not run, one sentence each: `cannot run: no kernel for aten.mm.default`. */
  problems: string[]
  /** Assumptions and substitutions for the reader to know. */
  notes: string[]
  /** Number of tokens that ran, if the activations have a first dimension to vary. */
  tokens: number | null
  /** Rows that the reference computed; null: all. */
  referenceRows: number | null
  inputs: { name: string; dtype: string; shape: number[] }[]
  outputs: OutputReport[]
  verdict: Verdict
  /** For whole graphs: calls cut out of both, whose results were generated and whose arguments were compared. */
  cut?: { target: string; calls: number; reason: string }[]
  /** Problems in the given `.wgsl` files; nothing ran then. */
  kernelProblems?: Problem[]
  /** The GPU did not answer in time: its worker was replaced. */
  stuck?: true
  unfused: SideReport | null
  fused: SideReport | null
  timing: {
    method: 'timestamp-query' | 'wall clock'
    /** Smallest observed step of the clock in this run, in nanoseconds. */
    quantumNs: number
    /** median(unfused) / median(fused). */
    speedup: number
    /** The speedup that the moved bytes alone would give. */
    bytesRatio: number
    /** A copy of about as many bytes as the fused side moves, timed in the same rounds. */
    copy?: { gbps: number; bytes: number; time: Spread } | null
  } | null
}
