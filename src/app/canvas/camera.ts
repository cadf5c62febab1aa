import { boundsOf, type Box } from './box'
import { mainItem, type Scene } from './scene'
import { itemsOfNodes, REGION_PAD } from './regions'
import { DOM_FROM, type View } from './types'

export interface Camera {
  x: number
  y: number
  zoom: number
}

export const MAX_ZOOM = 2.5
/** Zoom at which what someone asked for is shown, where there is room for it. */
const READABLE = 0.85
/** Room for the tools and the title, which lie over the drawing. */
const MARGIN = 52
/** Nodes spread over this much of the drawing, both ways, are shown with the whole of it. */
const MOST = 0.6
/** Height of the tools at the bottom, with the space below them. */
const TOOLS = 36

/** The camera that shows `box` in the middle, no larger than `most`. */
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

export function fitAll(view: View, scene: Scene): Camera {
  const { width, height } = scene.layout
  // The tools stand on the ground below the drawing, not on it.
  const above = { ...view, height: Math.max(80, view.height - TOOLS) }
  return frame(above, { x: -30, y: -30, w: width + 60, h: height + 60 }, 1, 12)
}

/** All that is drawn of these nodes, their region's border included; null when the drawing has none of them. */
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

/** Shows these nodes whole: at a zoom where they can be read, smaller where they would not fit. */
export function fitNodes(view: View, scene: Scene, names: Iterable<string>): Camera | null {
  const box = boxOf(scene, names)
  if (!box) return null
  const { width, height } = scene.layout
  if (box.w > width * MOST && box.h > height * MOST) return fitAll(view, scene)
  // A zoom between readable and life-size was chosen by the person: kept where it holds everything.
  const most = view.zoom > READABLE && view.zoom <= 1 ? view.zoom : READABLE
  return frame(view, box, most, { x: Math.min(24, view.width / 40), y: Math.min(MARGIN, view.height / 8) })
}

/** Whether the whole of a box is in view. */
export function inView(view: View, box: Box): boolean {
  const left = box.x * view.zoom + view.x
  const top = box.y * view.zoom + view.y
  return left >= 0 && top >= 0 && left + box.w * view.zoom <= view.width && top + box.h * view.zoom <= view.height
}

/**
 * The camera after the window changed its size: an overview stays one, and what was asked for and is cut off now comes
 * back whole. Null when the old camera still does.
 */
export function afterResize(before: View, now: View, scene: Scene, wanted: readonly string[]): Camera | null {
  const { width, height } = scene.layout
  if (inView(before, { x: 0, y: 0, w: width, h: height })) return fitAll(now, scene)
  const box = boxOf(scene, wanted)
  return box && inView(before, box) && !inView(now, box) ? fitNodes(now, scene, wanted) : null
}

/** Moves as little as brings the node well into view; null when it is there already. */
export function reveal(view: View, scene: Scene, node: number): Camera | null {
  const item = mainItem(scene, node)
  if (!item) return null
  // In an overview the neighbours are in view anyway: nothing slides.
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
 * Where to look after the graph changed: the node nearest the middle that both drawings have stays where it was. Null
 * when little is in common, or the whole was in view.
 */
export function keepPlace(view: View, before: Scene, after: Scene): Camera | null {
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
