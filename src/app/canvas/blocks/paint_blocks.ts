/** Paints frames, and the blocks of the overview. */
import { intersects, type Box } from '../box'
import { boldType, drawBadge } from '../glyphs'
import type { Paint } from '../paint_content'
import { isFilled, PATTERN_COLORS } from '../types'
import { labelsOf } from './frames'

/** Offset of the sheets behind a block of several instances, in world units. */
const SHEET = 7
const TITLE_SIZE = 34
const TALLY_SIZE = 26
const DETAIL_SIZE = 22

export function paintFrames(ctx: CanvasRenderingContext2D, zoom: number, area: Box, p: Paint): void {
  const { palette, scene } = p
  for (const { boxes } of scene.frames)
    for (const b of boxes) {
      if (!intersects(b, area)) continue
      ctx.beginPath()
      ctx.roundRect(b.x, b.y, b.w, b.h, 14)
      ctx.globalAlpha = 0.03
      ctx.fillStyle = palette.text
      ctx.fill()
      ctx.globalAlpha = 1
      ctx.strokeStyle = palette.line
      ctx.lineWidth = Math.max(1.5, 1 / zoom)
      ctx.stroke()
    }
}

export function paintFrameLabels(ctx: CanvasRenderingContext2D, zoom: number, area: Box, p: Paint): void {
  const { palette, scene } = p
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  for (const { frame, box: label } of labelsOf(scene.frames, zoom)) {
    if (!intersects(label, area)) continue
    ctx.beginPath()
    ctx.roundRect(label.x, label.y, label.w, label.h, label.size * 0.4)
    ctx.fillStyle = palette.card
    ctx.fill()
    ctx.strokeStyle = palette.line
    ctx.lineWidth = 1 / zoom
    ctx.stroke()
    ctx.fillStyle = palette.text
    ctx.font = boldType(label.size, palette.ui)
    ctx.fillText(frame.title, label.x + label.size * 0.45, label.y + label.h / 2)
  }
}

/** @param visible indices of items */
export function paintBlocks(ctx: CanvasRenderingContext2D, zoom: number, visible: readonly number[], p: Paint): void {
  const { scene } = p
  for (const i of visible) {
    const item = scene.layout.items[i]!
    const block = scene.graph.blocks.get(item.node)
    if (!block || item.kind !== 'node') continue
    paintBlock(ctx, zoom, item, p, { node: item.node, several: block.last > block.first })
  }
}

function paintBlock(
  ctx: CanvasRenderingContext2D,
  zoom: number,
  b: Box,
  p: Paint,
  { node, several }: { node: number; several: boolean },
): void {
  const { palette, scene } = p
  ctx.lineWidth = Math.max(1.5, 1 / zoom)
  ctx.strokeStyle = p.hovered.has(node) ? palette.accent : palette.edge
  for (let sheet = several ? 2 : 0; sheet >= 0; sheet--) {
    ctx.fillStyle = palette.card
    ctx.beginPath()
    ctx.roundRect(b.x + sheet * SHEET, b.y + sheet * SHEET, b.w, b.h, 10)
    ctx.fill()
    ctx.stroke()
  }
  const { target } = scene.graph.nodes[node]!
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.fillStyle = palette.text
  ctx.font = boldType(Math.min(TITLE_SIZE, (b.w - 24) / (target.length * 0.56)), palette.ui)
  const differs = scene.differences.get(node)
  const tallies = (p.regions.tallies.get(node) ?? []).slice(0, 3)
  const found = p.foundIn.get(node) ?? 0
  const counts = tallies.length + (found > 0 ? 1 : 0)
  const lines = 1 + (counts > 0 ? 1 : 0) + (differs ? 1 : 0)
  const at = (line: number): number => b.y + (b.h * (line + 0.5)) / lines
  ctx.fillText(target, b.x + b.w / 2, at(0))
  if (differs) {
    ctx.font = boldType(DETAIL_SIZE, palette.ui)
    ctx.fillStyle = palette.culprit
    ctx.fillText(fitted(differs, b.w), b.x + b.w / 2, at(lines - 1))
  }
  const step = (b.w - 24) / Math.max(1, counts)
  if (found > 0) {
    ctx.font = boldType(TALLY_SIZE, palette.ui)
    ctx.textAlign = 'center'
    ctx.fillStyle = palette.found
    ctx.fillText(`${found} found`, b.x + 12 + step * (counts - 0.5), at(1))
  }
  tallies.forEach((t, i) => {
    const color = palette.pattern[t.color % PATTERN_COLORS]!
    const [on, fill] = isFilled(t.kind) ? [palette.onPattern, color] : [color, palette.card]
    const x = b.x + 12 + step * (i + 0.5)
    ctx.font = boldType(TALLY_SIZE, palette.ui)
    ctx.textAlign = 'left'
    ctx.fillStyle = palette.text
    ctx.fillText(String(t.count), x + 4, at(1))
    drawBadge(ctx, Math.max(zoom, 0.5), { x: x - 18, y: at(1) }, t.letter, { color, on, fill, font: palette.ui })
  })
}

const fitted = (text: string, width: number): string => {
  const most = Math.floor((width - 16) / (DETAIL_SIZE * 0.54))
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}
