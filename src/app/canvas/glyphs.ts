/** Draws letters and marks whose size on screen does not depend on the zoom. */
import type { Palette } from './palette'
import type { Box } from './box'
import { AIM_FROM, type Mark } from './types'

export const boldType = (px: number, family: string): string => `600 ${px}px ${family}`

/** Half the side of a group's badge, in CSS pixels, at each zoom. */
export const badgeHalf = (zoom: number): number => (zoom < 0.06 ? 5.5 : zoom < 0.13 ? 6.5 : 8.5)

export function drawBadge(
  ctx: CanvasRenderingContext2D,
  zoom: number,
  { x, y }: { x: number; y: number },
  letter: string,
  style: { color: string; fill: string; on: string; font: string },
): void {
  const half = badgeHalf(zoom) / zoom
  ctx.fillStyle = style.fill
  ctx.strokeStyle = style.color
  ctx.lineWidth = 1.2 / zoom
  ctx.beginPath()
  ctx.roundRect(x - half, y - half, half * 2, half * 2, half * 0.5)
  ctx.fill()
  ctx.stroke()
  ctx.fillStyle = style.on
  ctx.font = `700 ${half * 1.35}px ${style.font}`
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.fillText(letter, x, y + half * 0.08)
}

export const SIGN: Record<Mark, string> = {
  added: '+',
  removed: '−',
  culprit: '!',
  bound: '✓',
  violation: '≠',
  found: '•',
}

/** In the overview: a small triangle beside the node, which does not cover its surroundings. */
function drawWarning(ctx: CanvasRenderingContext2D, zoom: number, b: Box, color: string): void {
  const r = 4.5 / zoom
  const [x, y] = [b.x - 1.5 * r, b.y + b.h / 2]
  ctx.fillStyle = color
  ctx.beginPath()
  ctx.moveTo(x, y - r)
  ctx.lineTo(x + r, y + r * 0.8)
  ctx.lineTo(x - r, y + r * 0.8)
  ctx.fill()
}

/** Ring and mark of a marked node, at its top left corner. */
export function drawMark(ctx: CanvasRenderingContext2D, zoom: number, b: Box, mark: Mark, palette: Palette): void {
  const color = palette[mark]
  if ((mark === 'culprit' || mark === 'violation') && zoom < AIM_FROM) return drawWarning(ctx, zoom, b, color)
  ctx.strokeStyle = color
  ctx.lineWidth = Math.max(2.5, 1.6 / zoom)
  ctx.beginPath()
  ctx.roundRect(b.x, b.y, b.w, b.h, 8)
  ctx.stroke()
  // Results of Find can be hundreds: their dots stay small in the overview.
  const r = mark === 'found' && zoom < AIM_FROM ? 3 / zoom : Math.max(9, 6 / zoom)
  ctx.fillStyle = color
  ctx.beginPath()
  ctx.arc(b.x, b.y, r, 0, 7)
  ctx.fill()
  ctx.fillStyle = palette.onPattern
  ctx.font = `700 ${r * 1.5}px ${palette.ui}`
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.fillText(SIGN[mark], b.x, b.y + r * 0.08)
}
