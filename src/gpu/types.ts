/** Programs to execute, and what executing them found. Plain data: crosses to the GPU's worker and into JSON. */
import type { TensorMeta } from '../fx'

export type RunValue =
  | null
  | boolean
  | number
  | string
  | { node: string }
  | { op: string }
  | { dtype: string }
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
