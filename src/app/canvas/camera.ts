import { boundsOf, type Box } from './box'
import { mainItem, type Scene } from './scene'
import { DOM_FROM, type View } from './types'

export interface Camera {
  x: number
  y: number
  zoom: number
}

export const MAX_ZOOM = 2.5
/** Zoom at which a node that someone asked for is shown. */
const READABLE = 0.85

/** The camera that shows `box` in the middle, no larger than `most`. */
export function frame(view: View, box: Box, most: number, padding = 24): Camera {
  const w = Math.max(80, view.width - 2 * padding)
  const h = Math.max(80, view.height - 2 * padding)
  const zoom = Math.min(most, w / Math.max(1, box.w), h / Math.max(1, box.h))
  return {
    zoom,
    x: view.width / 2 - (box.x + box.w / 2) * zoom,
    y: view.height / 2 - (box.y + box.h / 2) * zoom,
  }
}

export function fitAll(view: View, scene: Scene): Camera {
  const { width, height } = scene.layout
  return frame(view, { x: -30, y: -30, w: width + 60, h: height + 60 }, 1, 16)
}

export function fitNodes(view: View, scene: Scene, names: Iterable<string>): Camera | null {
  const boxes: Box[] = []
  for (const name of names) {
    const i = scene.indexOf.get(name)
    const item = i === undefined ? null : mainItem(scene, i)
    if (item) boxes.push(item)
  }
  const box = boundsOf(boxes)
  return box && frame(view, box, 1, 64)
}

/** Puts a node in the middle, at a zoom where it can be read. */
export function centreOn(view: View, scene: Scene, node: number): Camera | null {
  const item = mainItem(scene, node)
  return item && frame(view, item, view.zoom < DOM_FROM ? READABLE : view.zoom)
}

/** Moves as little as brings the node well into view; null when it is there already. */
export function reveal(view: View, scene: Scene, node: number): Camera | null {
  const item = mainItem(scene, node)
  if (!item) return null
  const margin = Math.min(72, view.width / 6, view.height / 6)
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
