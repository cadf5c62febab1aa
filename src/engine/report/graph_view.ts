/** A graph as plain data, for the page. */
import type { Problem, SourceRef } from '../../fx'
import type { OutlineGroupView } from './outline_view'

/** Color class of a node: its kind of work. */
export type OpFamily =
  | 'input'
  | 'output'
  | 'matmul'
  | 'elementwise'
  | 'reduction'
  | 'view'
  | 'factory'
  | 'cast'
  | 'functionalized'
  | 'custom'
  | 'getitem'
  | 'attention'
  | 'collective'
  | 'higher_order'
  | 'other'

export interface NodeView {
  name: string
  op: string
  /** `aten.mm.default`, `operator.getitem`; for auto_functionalized see `inner`. */
  target: string
  /** The operator that an auto_functionalized node wraps: `_C.silu_and_mul.default`. */
  inner: string | null
  family: OpFamily
  /** `bf16`, `f8e4m3fn` as print_readable writes them; null if unknown. */
  dtype: string | null
  /** `[48, 256]`; null if unknown or not a tensor. */
  shape: string | null
  stride: string | null
  device: string | null
  /** Arguments as print(graph) writes them. */
  args: string[]
  kwargs: [string, string][]
  /** Indices into GraphView.nodes, distinct, in argument order. */
  inputs: number[]
  users: number[]
  /** Other node.meta entries as Python reprs, such as `meta["stream_label"]`; absent if none. */
  meta?: [key: string, value: string][]
  source: SourceRef | null
  /** Line in the graph's text, from 1. */
  textLine: number | null
}

export interface GraphView {
  nodes: NodeView[]
  /** Lines that the reader could not read; `nodes` has the others. */
  problems: Problem[]
  /** The repeated parts of the graph; absent if nothing repeats, and for graphs that passes produced. */
  outline?: OutlineGroupView[] | undefined
}
