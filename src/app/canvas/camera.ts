import type { CameraPlace } from '../../workspace/types'
import { boundsOf, intersects, type Box } from './box'
import { mainItem, type Scene } from './scene'
import { itemsOfNodes, REGION_PAD, type Regions } from './regions'
import { DOM_FROM, FULL_FROM, isFilled, type View } from './types'

export interface Camera {
  x: number
  y: number
  zoom: number
}

export const MAX_ZOOM = 2.5
/** Zoom for requested nodes, if they fit. */
const READABLE = 0.85
/** Insets for the tools and the title, which overlay the drawing. */
const MARGIN = 52
/** Nodes that span this share of the drawing in both directions are shown with the whole drawing. */
const WIDE_SHARE = 0.6
/** Height of the tools at the bottom, with the space below them. */
const TOOLS = 36

/** The camera that centers `box` at a zoom of at most `most`. */
export function frame(view: View, box: Box, most: number, padding: number | { x: number; y: number } = 24): Camera {
  const p = typeof padding === 'number' ? { x: padding, y: padding } : padding
  const w = Math.max(80, view.width - 2 * p.x)
  const h = Math.max(80, view.height - 2 * p.y)
  const zoom = Math.min(most, w / Math.max(1, box.w), h / Math.max(1, box.h))
  return {
    zoom,
    x: view.width / 2 - (box.x + box.w / 2) * zoom,
    y: view.height / 2 - (box.y + box.h / 2) * zoom,
  }
}

/** The part of the view above the tools at the bottom. */
const aboveTools = (view: View): View => ({ ...view, height: Math.max(80, view.height - TOOLS) })

export function fitAll(view: View, scene: Scene): Camera {
  const { width, height } = scene.layout
  return frame(aboveTools(view), { x: -30, y: -30, w: width + 60, h: height + 60 }, 1, 12)
}

/** The first view: the whole drawing if every name is legible in it; else as much as is legible around the first match. */
export function firstView(view: View, scene: Scene, regions: Regions): Camera {
  const all = fitAll(view, scene)
  if (all.zoom >= FULL_FROM) return all
  const above = aboveTools(view)
  const match = regions.list.find((r) => isFilled(r.group.kind))
  if (!match) return all
  // For a match larger than the window: its first node.
  const fits = frame(above, match.bounds, FULL_FROM, 8).zoom === FULL_FROM
  const box = fits ? match.bounds : scene.layout.items[match.items[0]!]!
  const { width: w, height: h } = scene.layout
  const around = scene.frames
    .flatMap((f) => f.boxes)
    .filter((b) => intersects(b, box))
    .reduce((a, b) => (b.w * b.h < a.w * a.h ? b : a), { x: 0, y: 0, w, h })
  const part = frame(above, around, READABLE)
  return part.zoom >= FULL_FROM ? part : within(above, frame(above, box, FULL_FROM, 8), around)
}

/** The camera, moved to show as little as possible beside the box. */
function within(view: View, { x, y, zoom }: Camera, box: Box): Camera {
  const along = (at: number, start: number, size: number, room: number): number => {
    const low = room - (start + size) * zoom
    const high = -start * zoom
    return low > high ? (low + high) / 2 : Math.max(low - MARGIN, Math.min(high + MARGIN, at))
  }
  return { zoom, x: along(x, box.x, box.w, view.width), y: along(y, box.y, box.h, view.height) }
}

/** Bounding box of these nodes, with the border of their region; null if none of them is drawn. */
export function boxOf(scene: Scene, names: Iterable<string>): Box | null {
  const members = new Set<number>()
  for (const name of names) {
    const i = scene.indexOf.get(name)
    if (i !== undefined) members.add(i)
  }
  const box = boundsOf(itemsOfNodes(scene, members).map((i) => scene.layout.items[i]!))
  const pad = REGION_PAD * 2
  return box && { x: box.x - pad, y: box.y - pad, w: box.w + 2 * pad, h: box.h + 2 * pad }
}

/** Shows all of these nodes: at a readable zoom, or smaller if they do not fit. */
export function fitNodes(view: View, scene: Scene, names: Iterable<string>): Camera | null {
  const box = boxOf(scene, names)
  if (!box) return null
  const { width, height } = scene.layout
  const all = fitAll(view, scene)
  // Where every name is legible, the nodes beside the requested ones stay in view.
  if (all.zoom >= FULL_FROM || (box.w > width * WIDE_SHARE && box.h > height * WIDE_SHARE)) return all
  // A zoom between readable and 1 was chosen by the user: kept if everything fits.
  const most = view.zoom > READABLE && view.zoom <= 1 ? view.zoom : READABLE
  return frame(view, box, most, { x: Math.min(24, view.width / 40), y: Math.min(MARGIN, view.height / 8) })
}

/** True if the whole box is in view. */
export function inView(view: View, box: Box): boolean {
  const left = box.x * view.zoom + view.x
  const top = box.y * view.zoom + view.y
  return left >= 0 && top >= 0 && left + box.w * view.zoom <= view.width && top + box.h * view.zoom <= view.height
}

/**
 * The camera after a resize: an overview stays an overview, and requested nodes that are cut off come back into view.
 * Null if the old camera still fits.
 */
export function afterResize(before: View, now: View, scene: Scene, wanted: readonly string[]): Camera | null {
  const { width, height } = scene.layout
  if (inView(before, { x: 0, y: 0, w: width, h: height })) return fitAll(now, scene)
  const box = boxOf(scene, wanted)
  return box && inView(before, box) && !inView(now, box) ? fitNodes(now, scene, wanted) : null
}

/** The smallest move that brings the node well into view; null if it is in view. */
export function reveal(view: View, scene: Scene, node: number): Camera | null {
  const item = mainItem(scene, node)
  if (!item) return null
  // In an overview the neighbors are in view anyway, so the camera does not move.
  const margin = view.zoom < DOM_FROM ? 8 : Math.min(72, view.width / 6, view.height / 6)
  const left = item.x * view.zoom + view.x
  const top = item.y * view.zoom + view.y
  const slide = (low: number, size: number, room: number): number =>
    low < margin ? margin - low : low + size > room - margin ? room - margin - low - size : 0
  const dx = slide(left, item.w * view.zoom, view.width)
  const dy = slide(top, item.h * view.zoom, view.height)
  return dx === 0 && dy === 0 ? null : { zoom: view.zoom, x: view.x + dx, y: view.y + dy }
}

/**
 * The camera after a change of the graph: the node nearest the center that is in both drawings keeps its position. Null
 * if they have little in common, or the whole drawing was in view.
 */
export function keepPosition(view: View, before: Scene, after: Scene): Camera | null {
  if (view.zoom < fitAll(view, before).zoom * 1.25) return null
  const cx = (view.width / 2 - view.x) / view.zoom
  const cy = (view.height / 2 - view.y) / view.zoom
  let best: { from: Box; to: Box } | null = null
  let distance = Infinity
  before.graph.nodes.forEach((n, i) => {
    const j = after.indexOf.get(n.name)
    const from = mainItem(before, i)
    const to = j === undefined ? null : mainItem(after, j)
    if (!from || !to) return
    const d = Math.hypot(from.x + from.w / 2 - cx, from.y + from.h / 2 - cy)
    if (d < distance) {
      distance = d
      best = { from, to }
    }
  })
  if (!best || distance * view.zoom > Math.hypot(view.width, view.height)) return null
  const { from, to } = best as { from: Box; to: Box }
  return { zoom: view.zoom, x: view.x + (from.x - to.x) * view.zoom, y: view.y + (from.y - to.y) * view.zoom }
}

/**
 * The camera relative to a node, for links: it stays valid under another layout and another window size. Null in the first view,
 * which a link then opens with.
 */
export function cameraPlace(view: View, scene: Scene, first: Camera): Omit<CameraPlace, 'side'> | null {
  if (Math.abs(view.zoom - first.zoom) < 1e-3 && Math.hypot(view.x - first.x, view.y - first.y) < 1) return null
  const { x, y } = centerOf(view)
  let nearest: { node: string; dx: number; dy: number } | null = null
  scene.graph.nodes.forEach(({ name }, i) => {
    const item = mainItem(scene, i)
    if (!item) return
    const dx = x - (item.x + item.w / 2)
    const dy = y - (item.y + item.h / 2)
    if (!nearest || Math.hypot(dx, dy) < Math.hypot(nearest.dx, nearest.dy)) nearest = { node: name, dx, dy }
  })
  if (!nearest) return null
  const { node, dx, dy } = nearest as { node: string; dx: number; dy: number }
  return { node, dx: Math.round(dx), dy: Math.round(dy), zoom: Number(view.zoom.toPrecision(4)) }
}

/** The inverse of cameraPlace; null if the drawing lacks the node. */
export function cameraAt(view: View, scene: Scene, { node, dx, dy, zoom }: CameraPlace): Camera | null {
  const index = scene.indexOf.get(node)
  const item = index === undefined ? null : mainItem(scene, index)
  if (!item) return null
  const z = Math.min(zoom, MAX_ZOOM)
  return {
    zoom: z,
    x: view.width / 2 - (item.x + item.w / 2 + dx) * z,
    y: view.height / 2 - (item.y + item.h / 2 + dy) * z,
  }
}

const centerOf = (view: View): { x: number; y: number } => ({
  x: (view.width / 2 - view.x) / view.zoom,
  y: (view.height / 2 - view.y) / view.zoom,
})
