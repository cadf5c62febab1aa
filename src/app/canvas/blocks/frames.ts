/** Frames around open instances, and their labels. */
import { instanceTitle } from '../../fold/block_text'
import type { DrawnGraph } from '../../fold/types'
import type { LayoutResult } from '../../layout'
import { memoizeLast } from '../../../base/memoize'
import { boundsOf, intersects, type Box } from '../box'

export interface DrawnFrame {
  /** Index into Grouping.instances. */
  instance: number
  title: string
  /** 0 for a part of the whole graph. */
  level: number
  /** One box for each column that has nodes of the instance, the first column first. */
  boxes: Box[]
}

const PAD = 26
/** Frames inside frames are smaller. */
const PAD_STEP = 7
const LABEL_SIZE = 15
/** Sizes of the label on screen, in CSS pixels. */
const LEAST_LABEL = 10
/** Width of a character at size 1. */
const ADVANCE = 0.58

export function framesOf({ frames, grouping }: DrawnGraph, layout: LayoutResult, itemsOf: number[][]): DrawnFrame[] {
  return frames.map(({ instance, level, nodes }) => {
    const members = new Set(nodes)
    const byColumn = new Map<number, Box[]>()
    for (const node of nodes)
      for (const i of itemsOf[node]!) {
        const item = layout.items[i]!
        if (item.kind === 'entry' || (item.consumer >= 0 && !members.has(item.consumer))) continue
        const own = byColumn.get(item.column) ?? []
        byColumn.set(item.column, own)
        own.push(item)
      }
    const pad = Math.max(12, PAD - level * PAD_STEP)
    const boxes = [...byColumn].sort(([a], [b]) => a - b).flatMap(([, items]) => boundsOf(items) ?? [])
    const inflated = boxes.map((b) => ({ x: b.x - pad, y: b.y - pad, w: b.w + 2 * pad, h: b.h + 2 * pad }))
    return { instance, level, title: `▾ ${instanceTitle(grouping!.instances[instance]!)}`, boxes: inflated }
  })
}

/** The box of a frame's label at a zoom: at the right of its first box, where no node covers it; labels of inner frames are lower. */
export function labelOf({ boxes, title, level }: DrawnFrame, zoom: number): (Box & { size: number }) | null {
  const [first] = boxes
  if (!first) return null
  const size = Math.max(LABEL_SIZE, LEAST_LABEL / zoom)
  const w = (title.length * ADVANCE + 0.9) * size
  return { x: first.x + first.w - size * 0.4, y: first.y + (level * 1.7 - 0.2) * size, w, h: size * 1.5, size }
}

export interface FrameLabel {
  frame: DrawnFrame
  box: Box & { size: number }
}

/** The labels at a zoom. Where two overlap, as labels of small frames do in the overview, only the outer or first one is drawn. */
export const labelsOf = memoizeLast((frames: readonly DrawnFrame[], zoom: number): readonly FrameLabel[] => {
  const labels: FrameLabel[] = []
  // Labels have one height: a label can only overlap labels in its own row and the two adjacent rows.
  const rows = new Map<number, FrameLabel[]>()
  for (const frame of frames.toSorted((a, b) => a.level - b.level)) {
    const box = labelOf(frame, zoom)
    if (!box) continue
    const row = Math.floor(box.y / box.h)
    const near = [row - 1, row, row + 1].flatMap((r) => rows.get(r) ?? [])
    if (near.some((other) => intersects(other.box, box))) continue
    const label = { frame, box }
    labels.push(label)
    const own = rows.get(row)
    if (own) own.push(label)
    else rows.set(row, [label])
  }
  return labels
})
