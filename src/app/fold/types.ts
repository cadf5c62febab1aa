/**
 * The folded view of a graph. A grouping lists what can fold; a set of open instances lists what does not; the drawn graph has the
 * remaining nodes and one block for each folded run of instances.
 */
import type { GraphView, NodeView } from '../../engine/protocol'

/** Subgraphs that fold into blocks: the layers of a model, the nodes of a source line. */
export interface FoldGroup {
  /** Index into Grouping.groups. */
  index: number
  /** Stable between groupings of the same text, for links: `0`, `act.py:42`. */
  key: string
  /** `layer`, `MLP`, `act.py:42`. */
  label: string
  /** Index into Grouping.groups, lower than `index`; null for a part of the whole graph. */
  parent: number | null
  /** Instances in each instance of the parent; 0 if their number differs. */
  perParent: number
  /** Index of its first instance in Grouping.instances; the others follow. */
  first: number
  times: number
  /** Instances that follow each other fold into one block: "Layer × 17". */
  runs: boolean
  /** True if the label is a name (of a file, a module, a pattern), which is shown unchanged. */
  named?: boolean
  differs: readonly { instance: number; what: string; nodes: readonly number[] }[]
}

export interface FoldInstance {
  group: FoldGroup
  /** Index into the group. */
  at: number
  /** Index into Grouping.instances, lower than its own; -1 at the top. */
  parent: number
  /** Its own name: `layers.3`, `SiluMul · match 3`; absent for instances with a number. */
  title?: string
  /** Indices into GraphView.nodes, ascending. */
  nodes: readonly number[]
}

export interface Grouping {
  groups: readonly FoldGroup[]
  instances: readonly FoldInstance[]
  /** Index of the innermost instance by node; -1 outside all. */
  innermost: Int32Array
}

/** Keys of open instances: `KEY/AT`. An instance inside a folded one is not drawn, even if it is open. */
export type OpenInstances = ReadonlySet<string>

/** Visibility of a node under filters. If filters differ, the larger value wins. */
export const SHOWN = 0
/** Not drawn; its users are drawn as users of its inputs. */
export const THROUGH = 1
/** Neither it nor its edges are drawn. */
export const HIDDEN = 2

/** SHOWN, THROUGH or HIDDEN by node index. */
export type Visibility = Uint8Array

/** Consecutive folded instances of a group, drawn as one node. */
export interface Block {
  group: FoldGroup
  /** Indices of its first and last instance in Grouping.instances, inclusive. */
  first: number
  last: number
  /** Visible nodes of all its instances, as indices into the source. */
  nodes: readonly number[]
  /** Inputs of the graph that are not drawn because the block uses more than MAX_CHIPS of them. */
  inputsLeftOut: number
  /** FoldInstance.title of its first and last instance, if they have one. */
  titles?: readonly [string, string]
}

/** An open instance with the nodes that are drawn for it. */
export interface Frame {
  /** Index into Grouping.instances. */
  instance: number
  /** 0 for a part of the whole graph. */
  level: number
  /** Indices into DrawnGraph.nodes. */
  nodes: readonly number[]
}

export interface DrawnGraph {
  source: GraphView
  /** Null: nothing can fold. */
  grouping: Grouping | null
  /** Nodes as drawn, a block in the form of a node; `inputs` and `users` are indices into this list. */
  nodes: readonly NodeView[]
  /** Blocks by index into `nodes`. */
  blocks: ReadonlyMap<number, Block>
  /** Every node of the source that is drawn or in a block → its index in `nodes`. */
  indexOf: ReadonlyMap<string, number>
  /** Outer frames first. */
  frames: readonly Frame[]
  /** Number of values on a drawn edge, for edges with several: `from * nodes.length + to` → count. */
  values: ReadonlyMap<number, number>
}
