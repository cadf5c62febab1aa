import type { CameraPlace } from '../../workspace/types'
import type { Block, DrawnGraph } from '../fold/types'
import type { Picture } from './picture/types'

/** A set of nodes drawn as one highlighted region. */
export interface CanvasGroup {
  id: string
  nodes: string[]
  /** Index into the pattern palette; wraps around at PATTERN_COLORS. */
  color: number
  /** Shown with the color, so that no information depends on color alone. */
  letter: string
  label: string
  /** One sentence, shown on hover. */
  note?: string
  kind: GroupKind
}

/** `unshaped`: all nodes align, and the graph lacks the shapes that decide. */
export type GroupKind = 'match' | 'unshaped' | 'nearMiss' | 'added' | 'removed'

/** False for a region that is no match: outlined with dashes. */
export const isFilled = (kind: GroupKind): boolean => kind !== 'nearMiss' && kind !== 'unshaped'

/**
 * `bound`: bound to a pattern node in the current step. `violation`: a rewrite violates an invariant here. `found`: a
 * result of Find.
 */
export type Mark = 'added' | 'removed' | 'culprit' | 'bound' | 'violation' | 'found'

export interface GraphCanvasProps {
  graph: DrawnGraph
  side: 'before' | 'after'
  /** Keep this array's identity while nothing changed: regions are computed once per identity. */
  groups: readonly CanvasGroup[]
  /** `focus`: the node from which the arrow keys continue. `picked`: no tooltip covers the nodes. */
  selection: { nodes: ReadonlySet<string>; focus: string | null; picked?: boolean }
  /** Nodes to bring into view; each new object takes effect once. */
  framing?: Framing | null
  /** The camera for the first drawing that contains its node; each new object takes effect once. */
  start?: CameraPlace | null
  /** Counts requests for the first view. */
  firsts?: number
  hovered: ReadonlySet<string>
  marks: ReadonlyMap<string, Mark>
  /** Edges that prevent a match, by the names of their ends. */
  blamed?: readonly (readonly [string, string])[]
  /** Text shown first in a node's tooltip. */
  notes?: ReadonlyMap<string, string>
  theme: 'light' | 'dark'
  onSelectNode(name: string | null, opts: { additive: boolean }): void
  /** While it is on, presses and rectangles pick without Shift. Absent: nothing can be picked. */
  picker?: { on: boolean; toggle(): void }
  /** Called with the nodes in a rectangle drawn with Shift held, or by the picker. Absent: no rectangles. */
  onSelectNodes?(names: readonly string[]): void
  onHoverNode(name: string | null): void
  onSelectGroup(id: string): void
  /** Called when the user opens the first or all instances of a block. */
  onOpenBlock?(block: Block, which: 'first' | 'all'): void
  /** Called with the index of an open instance in Grouping.instances. */
  onFold?(instance: number): void
  /** A button among the tools, such as one that folds or opens all layers. */
  tool?: { label: string; title: string; run(): void } | null
  /** Called when the user opens a menu, by pointer or keyboard. */
  onNodeMenu?(name: string, at: { clientX: number; clientY: number }): void
  /** Called at each step of a manual pan or zoom: by pointer, key, tool or click on this canvas. */
  onMoved?(): void
}

export interface Framing {
  names: readonly string[]
  /** Selected on this canvas: it is already under the pointer, so the camera must not move. */
  own: boolean
  /** The camera does not move while any of these is in view: for facts shared by many nodes. */
  unlessSeen?: readonly string[]
}

export type PicturePart = 'whole' | 'selection'

export type Direction = 'up' | 'down' | 'left' | 'right'

export interface GraphCanvasHandle {
  /** Shows the whole drawing. */
  fit(): void
  /** Shows these nodes as large as they fit, up to zoom 1. Unknown names are ignored. */
  focusNodes(names: Iterable<string>): void
  zoomIn(): void
  zoomOut(): void
  /** The camera relative to a node, for a link; null in the first view. */
  place(): CameraPlace | null
  /** Moves the camera at once, to the first view for null; nothing if the node is not drawn. */
  lookAt(place: CameraPlace | null): void
  /** The drawing as SVG: whole, or the selected nodes; null while nothing is drawn, or without a selection. */
  picture(part: PicturePart): Promise<Picture | null>
}

/** Viewport: the world point at the top left is (-x / zoom, -y / zoom). Sizes in CSS pixels. */
export interface View {
  x: number
  y: number
  zoom: number
  width: number
  height: number
}

export const PATTERN_COLORS = 8
/** Below this zoom everything is drawn on the canvas; from it on, nodes in view are DOM elements. */
export const DOM_FROM = 0.36
/** From this zoom on, a node shows its name, target and type; below it, one word. */
export const FULL_FROM = 0.62
/** Below this zoom a node is too small to click: a click in a region selects the region. */
export const AIM_FROM = 0.14
