/** The outline of a graph: groups of equal subgraphs that follow each other, such as the layers of a model. */

/**
 * Kinds of differences:
 * - `missing`, `extra`, `replaced`: nodes that the instance lacks, has in addition, or has in place of others;
 * - `constant`, `dtype`, `shape`: a property of a node that all instances have;
 * - `wiring`: an input from another node;
 * - `escaping`: a value that is also used outside the instance.
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

/** One difference between an instance and most of its siblings. */
export interface InstanceDifference {
  /** Index into OutlineGroup.instances. */
  instance: number
  kind: DifferenceKind
  /** Predicate of "instance 17 …": `has no residual add (aten.add.Tensor)`. */
  what: string
  /** The affected nodes of the instance; empty for missing nodes. */
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
  /** 0: a part of the whole graph; n + 1: a part of `parent`'s instances. */
  level: number
  /** `id` of the group whose instances contain these; null at level 0. */
  parent: number | null
  /** Instances in each instance of the parent. */
  perParent: number
  /** `attention`, `MLP`, …, inferred from the instance's operators; null for nodes outside runs. */
  label: string | null
}

/** A group with node indices in the graph's order, ascending, in place of names. */
export type IndexedGroup = Omit<OutlineGroup, 'first' | 'instances'> & { instances: number[][] }

export interface Outline {
  /** Sorted by the number of nodes in all instances, descending. */
  groups: readonly OutlineGroup[]
}
