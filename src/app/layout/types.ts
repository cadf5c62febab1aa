/**
 * Input and output of the layered layout. Independent of FX: `toLayoutInput` (input.ts) sets the width of each node and
 * which nodes are drawn beside their consumers. All lengths are world units: CSS pixels at zoom 1.
 */

/**
 * - `node`: has a position in a rank. - `compact`: a small node (getitem).
 * - `source`: has no inputs and is cheap (placeholder, get_attr, factory): drawn beside each consumer as a chip, once
 * per use, because an input shared by 32 layers would otherwise pull 32 long edges through the drawing.
 */
export type LayoutRole = 'node' | 'compact' | 'source'

export interface LayoutNode {
  role: LayoutRole
  /** Size of the box, or of each chip for a source. */
  width: number
  height: number
  /** Width of a chip that refers to this distant node. */
  chipWidth: number
  /** Indices into LayoutInput.nodes, distinct. */
  inputs: number[]
}

export interface LayoutInput {
  nodes: LayoutNode[]
  /** Target aspect ratio of a folded drawing, width over height. */
  aspect: number
}

/**
 * - `node`, `compact`: the one box of a node.
 * - `chip`: one use of a source, attached to its consumer.
 * - `ref`: one use of a node too far away for an edge, attached to its consumer.
 * - `entry`: entry of a value in the next column.
 * - `loose`: a source without users.
 */
export type ItemKind = 'node' | 'compact' | 'chip' | 'ref' | 'entry' | 'loose'

export interface LayoutItem {
  kind: ItemKind
  /** Index into LayoutInput.nodes. */
  node: number
  /** For chip and ref: index of the consumer in LayoutInput.nodes; otherwise -1. */
  consumer: number
  /** Top left corner and size. */
  x: number
  y: number
  w: number
  h: number
  column: number
  /** Rank within the whole graph; -1 for entries and loose items. */
  rank: number
}

export interface LayoutEdge {
  /** `flow` goes down inside a column, `connector` from the foot of a column to the head of the next, `attach` from a
   *  chip to its consumer. */
  kind: 'flow' | 'connector' | 'attach'
  /** Indices into LayoutResult.items. */
  from: number
  to: number
  /** Indices into LayoutInput.nodes: producer and user of the value (for a connector: the producer twice). */
  source: number
  target: number
  /** x0, y0, x1, y1, … ; flow: joined by vertical-tangent curves, connector: right angles, attach: straight. */
  points: number[]
}

export interface LayoutColumn {
  x: number
  y: number
  w: number
  h: number
  /** Ranks first … last, inclusive. */
  first: number
  last: number
}

export interface LayoutResult {
  width: number
  height: number
  items: LayoutItem[]
  edges: LayoutEdge[]
  columns: LayoutColumn[]
}

/** Spacing, in world units. */
export const SPACING = {
  nodeGap: 28,
  dummyGap: 18,
  rankGap: 34,
  chipGap: 4,
  /** Between a chip and its consumer. */
  chipLead: 12,
  chipHeight: 22,
  chipRows: 4,
  gutter: 96,
  lane: 10,
  loose: 8,
} as const
