import { labelsOf } from './blocks/frames'
import { badgeHalf } from './glyphs'
import { badgeCenter, REGION_PAD, regionsIn, type Regions } from './regions'
import type { Scene } from './scene'
import { AIM_FROM, DOM_FROM } from './types'

export type Hit =
  | { kind: 'node'; node: number; item: number }
  | { kind: 'group'; id: string; label: string }
  /** The label of a frame. */
  | { kind: 'frame'; instance: number }
  | null

/** Hit test at a world point: labels of frames and badges first, then nodes, then regions. */
export function pick(scene: Scene, regions: Regions, x: number, y: number, zoom: number): Hit {
  for (const { frame, box: b } of labelsOf(scene.frames, zoom)) {
    if (x >= b.x && x <= b.x + b.w && y >= b.y && y <= b.y + b.h) return { kind: 'frame', instance: frame.instance }
  }
  const half = (badgeHalf(zoom) + 2) / zoom
  const near = regionsIn(regions, { x: x - half, y: y - half, w: half * 2, h: half * 2 })
  const reach = regionsIn(regions, { x: x - 60 / zoom, y: y - 60 / zoom, w: 120 / zoom, h: 120 / zoom })
  if (zoom < DOM_FROM)
    for (let i = reach.length - 1; i >= 0; i--) {
      const r = reach[i]!
      const badge = badgeCenter(r, zoom)
      if (Math.abs(x - badge.x) <= half && Math.abs(y - badge.y) <= half)
        return { kind: 'group', id: r.group.id, label: r.group.label }
    }
  // A tolerance of a finger's width makes thin boxes hittable in the overview.
  const slop = zoom < DOM_FROM ? Math.min(14, 2 / zoom) : 0
  const items = scene.grid.query({ x: x - slop, y: y - slop, w: slop * 2 + 0.01, h: slop * 2 + 0.01 })
  let best = -1
  let distance = Infinity
  for (const i of items) {
    const b = scene.layout.items[i]!
    const dx = Math.max(b.x - x, 0, x - b.x - b.w)
    const dy = Math.max(b.y - y, 0, y - b.y - b.h)
    if (dx + dy < distance) {
      distance = dx + dy
      best = i
    }
  }
  const inRegion = [...near].reverse().find((r) =>
    r.items.some((i) => {
      const b = scene.layout.items[i]!
      const pad = REGION_PAD
      return x >= b.x - pad && x <= b.x + b.w + pad && y >= b.y - pad && y <= b.y + b.h + pad
    }),
  )
  const group: Hit = inRegion ? { kind: 'group', id: inRegion.group.id, label: inRegion.group.label } : null
  if (group && (zoom < AIM_FROM || best < 0)) return group
  return best >= 0 ? { kind: 'node', node: scene.layout.items[best]!.node, item: best } : group
}
