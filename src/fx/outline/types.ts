/** The outline of a graph: groups of equal subgraphs that follow each other, such as the layers of a model. */

/**
 * - `missing`, `extra`, `replaced`: nodes that the instance lacks, has beyond the others, or has in the place of others;
 * - `constant`, `dtype`, `shape`: of a node that all have;
 * - `wiring`: an input from another node; `escaping`: a value that is also used outside the instance.
 */
export type DifferenceKind =
  | 'missing'
  | 'extra'
  | 'replaced'
  | 'constant'
  | 'dtype'
  | 'shape'
  | 'wiring'
  | 'escaping'
  | 'unlike'

/** One difference of an instance from most of its siblings. */
export interface InstanceDifference {
  /** Index into OutlineGroup.instances. */
  instance: number
  kind: DifferenceKind
  /** Completes "instance 17 …": `has no residual add (aten.add.Tensor)`. */
  what: string
  /** The nodes of the instance concerned; empty for missing ones. */
  nodes: readonly string[]
  /** Nodes of a typical sibling in their place. */
  siblings: readonly string[]
}

/** Equal subgraphs. A group with `times: 1` holds nodes outside all repeated runs. */
export interface OutlineGroup {
  /** Unique in the outline. */
  id: number
  /** The number of instances. */
  times: number
  /** The size of a typical instance, in nodes. */
  nodes: number
  /** The first instance. */
  first: readonly string[]
  /** Names of nodes, by instance, in the order of data flow. */
  instances: readonly (readonly string[])[]
  differs: readonly InstanceDifference[]
  /** 0: a part of the whole graph; n + 1: a part of the instances of `parent`. */
  level: number
  /** `id` of the group whose instances contain these; null at level 0. */
  parent: number | null
  /** Instances in each instance of the parent. */
  perParent: number
  /** `attention`, `MLP`, … as the operators of the instance suggest; null for nodes outside runs. */
  label: string | null
}

/** A group with indices of nodes in the graph's order, ascending, in place of names. */
export type IndexedGroup = Omit<OutlineGroup, 'first' | 'instances'> & { instances: number[][] }

export interface Outline {
  /** By nodes in all instances, descending. */
  groups: readonly OutlineGroup[]
}
