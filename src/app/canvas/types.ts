import type { GraphView } from '../../engine/protocol'

/** A set of nodes drawn as one lit region. */
export interface CanvasGroup {
  id: string
  nodes: string[]
  /** Index into the pattern palette; wraps around at PATTERN_COLOURS. */
  colour: number
  /** Shown beside the colour, so that nothing is told by colour alone. */
  letter: string
  label: string
  /** One sentence for whoever points at it. */
  note?: string
  kind: 'match' | 'nearMiss' | 'added' | 'removed'
}

/**
 * `bound`: a match that is being stepped through has taken it for a node of the pattern. `broken`: a rewrite left
 * something wrong there.
 */
export type Mark = 'added' | 'removed' | 'culprit' | 'bound' | 'broken'

export interface GraphCanvasProps {
  graph: GraphView
  side: 'before' | 'after'
  /** Keep this array's identity while nothing changed: regions are computed once an identity. */
  groups: readonly CanvasGroup[]
  /** `focus`: where the arrow keys walk on from. */
  selection: { nodes: ReadonlySet<string>; focus: string | null }
  /** What to bring into view; each new object does so once. */
  framing?: Framing | null
  hovered: ReadonlySet<string>
  marks: ReadonlyMap<string, Mark>
  /** Edges to blame, by the names of their ends. */
  blamed?: readonly (readonly [string, string])[]
  /** What to say first of a node, to whoever points at it. */
  notes?: ReadonlyMap<string, string>
  theme: 'light' | 'dark'
  onSelectNode(name: string | null, opts: { additive: boolean }): void
  onHoverNode(name: string | null): void
  onSelectGroup(id: string): void
  /** A menu was asked for, by the pointer or the keyboard. */
  onNodeMenu?(name: string, at: { clientX: number; clientY: number }): void
  /** Called when a layout is on screen, with the time the layout itself took. */
  onDrawn?(info: { nodes: number; layoutMs: number }): void
}

export interface Framing {
  names: readonly string[]
  /** Chosen on this canvas: it is under the pointer already, so the ground must not slide away. */
  own: boolean
  /** Nothing moves while any of these is in view: for facts that many places share. */
  unlessSeen?: readonly string[]
}

export type Direction = 'up' | 'down' | 'left' | 'right'

export interface GraphCanvasHandle {
  /** Shows the whole drawing. */
  fit(): void
  /** Shows these nodes, as large as they fit up to zoom 1. Unknown names are passed over. */
  focusNodes(names: Iterable<string>): void
  zoomIn(): void
  zoomOut(): void
  /** Walks from the focused node: up and down along edges, left and right along its rank. Calls onSelectNode. */
  focusNext(direction: Direction): void
}

/** What the screen shows: world point at the top left is (-x / zoom, -y / zoom). Sizes in CSS pixels. */
export interface View {
  x: number
  y: number
  zoom: number
  width: number
  height: number
}

export const PATTERN_COLOURS = 8
/** Below this zoom everything is drawn on the canvas; from it on, nodes in view are DOM elements. */
export const DOM_FROM = 0.36
/** From here on a node shows its name, target and type; below, one word. */
export const FULL_FROM = 0.62
/** Below this zoom a node is too small to be aimed at: a click in a region chooses the region. */
export const AIM_FROM = 0.14
