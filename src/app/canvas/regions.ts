import { divideGroups, type Tally } from './blocks/tallies'
import { badgeHalf } from './glyphs'
import { boundsOf, intersects, type Box } from './box'
import type { Scene } from './scene'
import type { CanvasGroup } from './types'

/** Region of a group: the boxes of its nodes and the edges inside it, drawn as one shape. */
export interface Region {
  group: CanvasGroup
  items: number[]
  edges: number[]
  /** The `edges` drawn as bands; the others are bridges. */
  bands: number[]
  /** Fill the gaps between vertically adjacent boxes, so that a chain is one block. */
  bridges: Box[]
  bounds: Box
  /** Position of the letter: top right corner of the topmost box. */
  badge: { x: number; y: number }
}

export interface Regions {
  list: Region[]
  /** Regions by item index, in drawing order. */
  ofItem: Map<number, Region[]>
  /** Groups by item index: each list keeps its identity as long as the regions do. */
  groupsOfItem: Map<number, CanvasGroup[]>
  /** Groups inside blocks, counted, by node index of the block. */
  tallies: ReadonlyMap<number, readonly Tally[]>
}

export const REGION_PAD = 9

export function buildRegions(scene: Scene, groups: readonly CanvasGroup[]): Regions {
  const list: Region[] = []
  const ofItem = new Map<number, Region[]>()
  const { drawn, tallies } = divideGroups(scene.graph, groups)
  for (const group of drawn) {
    const region = buildRegion(scene, group)
    if (!region) continue
    list.push(region)
    for (const i of region.items) {
      const at = ofItem.get(i)
      if (at) at.push(region)
      else ofItem.set(i, [region])
    }
  }
  const groupsOfItem = new Map([...ofItem].map(([i, regions]) => [i, regions.map((r) => r.group)]))
  return { list, ofItem, groupsOfItem, tallies }
}

function buildRegion(scene: Scene, group: CanvasGroup): Region | null {
  const members = new Set<number>()
  for (const name of group.nodes) {
    const i = scene.indexOf.get(name)
    if (i !== undefined) members.add(i)
  }
  const items = itemsOfNodes(scene, members)
  const edges: number[] = []
  for (const node of members) {
    for (const e of scene.edgesInto[node]!) {
      const edge = scene.layout.edges[e]!
      if (edge.kind !== 'connector' && edge.target === node && members.has(edge.source) && isNear(scene, e))
        edges.push(e)
    }
  }
  const boxes = items.map((i) => scene.layout.items[i]!)
  const bridges: Box[] = []
  const bands: number[] = []
  for (const e of edges) {
    const bridge = bridgeOf(scene, e)
    if (bridge) bridges.push(bridge)
    else bands.push(e)
  }
  const bounds = boundsOf(boxes)
  if (!bounds) return null
  let top = boxes[0]!
  for (const b of boxes) if (b.y < top.y || (b.y === top.y && b.x + b.w > top.x + top.w)) top = b
  return {
    group,
    items,
    edges,
    bands,
    bridges,
    bounds,
    badge: { x: top.x + top.w + REGION_PAD, y: top.y - REGION_PAD },
  }
}

/** Items of these nodes. A chip of a shared input is included only beside a consumer in the group. */
export function itemsOfNodes(scene: Scene, members: ReadonlySet<number>): number[] {
  return [...members].flatMap((node) => {
    const all = scene.itemsOf[node]!
    const own = all.filter((i) => {
      const item = scene.layout.items[i]!
      return item.consumer < 0 ? item.kind !== 'entry' : members.has(item.consumer) && item.kind === 'chip'
    })
    return own.length > 0 ? own : all
  })
}

/** The gap between the two ends of an edge, if they overlap by most of a box and are in adjacent ranks. */
function bridgeOf(scene: Scene, edge: number): Box | null {
  const { from, to, kind, points } = scene.layout.edges[edge]!
  if (kind !== 'flow' || points.length !== 4) return null
  const a = scene.layout.items[from]!
  const b = scene.layout.items[to]!
  const x = Math.max(a.x, b.x)
  const w = Math.min(a.x + a.w, b.x + b.w) - x
  const y = a.y + a.h
  return w < 60 || b.y - y > 90 ? null : { x, y: y - 4, w, h: b.y - y + 8 }
}

/** A long edge is drawn thin: a thick band over half a column would highlight nodes outside the group. */
function isNear(scene: Scene, edge: number): boolean {
  const p = scene.layout.edges[edge]!.points
  return Math.abs(p[p.length - 1]! - p[1]!) < 420
}

/** Middle of a region's letter at a zoom: just outside the corner, whatever the letter's size in world units. */
export function badgeCenter(region: Region, zoom: number): { x: number; y: number } {
  const out = (badgeHalf(zoom) * 0.55) / zoom
  return { x: region.badge.x + out, y: region.badge.y - out }
}

export function regionsIn(regions: Regions, area: Box): Region[] {
  return regions.list.filter((r) => intersects(r.bounds, area))
}
