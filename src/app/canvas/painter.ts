import type { LayoutItem } from '../layout'
import { paintBlocks, paintFrameLabels, paintFrames } from './blocks/paint_blocks'
import { boldType, drawBadge, drawMark } from './glyphs'
import type { Paint } from './paint_content'
import { badgeCenter, REGION_PAD, regionsIn, type Region } from './regions'
import { intersects, type Box } from './box'
import { traceEdge, WORD_SIZES } from './scene'
import { AIM_FROM, DOM_FROM, isFilled, PATTERN_COLORS, type View } from './types'

const HALO = 2
/** Below this zoom a region is a plain shape. */
const FAR = 0.13

/**
 * Draws one frame: columns, highlighted regions and edges always; nodes and badges only if the DOM does not draw them.
 */
export function paint(ctx: CanvasRenderingContext2D, dpr: number, view: View, p: Paint): void {
  const { x, y, zoom } = view
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0)
  ctx.fillStyle = p.palette.ground
  ctx.fillRect(0, 0, view.width, view.height)
  ctx.setTransform(dpr * zoom, 0, 0, dpr * zoom, dpr * x, dpr * y)
  const area: Box = { x: -x / zoom, y: -y / zoom, w: view.width / zoom, h: view.height / zoom }
  paintColumns(ctx, zoom, area, p)
  paintFrames(ctx, zoom, area, p)
  const regions = regionsIn(p.regions, inflate(area, 40))
  for (const r of regions) paintRegion(ctx, zoom, r, p)
  paintEdges(ctx, zoom, area, p)
  for (const r of regions) paintRegionEdges(ctx, zoom, r, p)
  paintNearEdges(ctx, zoom, p)
  paintBlamedEdges(ctx, zoom, p)
  if (zoom >= DOM_FROM) return paintFrameLabels(ctx, zoom, area, p)
  const visible = p.scene.grid.query(area)
  paintNodes(ctx, zoom, visible, p)
  paintBlocks(ctx, zoom, visible, p)
  paintSelection(ctx, zoom, p)
  for (const r of regions) paintBadge(ctx, zoom, r, p)
  paintFrameLabels(ctx, zoom, area, p)
}

const inflate = (b: Box, by: number): Box => ({ x: b.x - by, y: b.y - by, w: b.w + 2 * by, h: b.h + 2 * by })

function paintColumns(ctx: CanvasRenderingContext2D, zoom: number, area: Box, p: Paint): void {
  const { columns } = p.scene.layout
  ctx.fillStyle = p.palette.column
  ctx.strokeStyle = p.palette.hairline
  ctx.lineWidth = 1 / zoom
  for (const c of columns) {
    const box = inflate(c, 30)
    if (!intersects(box, area)) continue
    ctx.beginPath()
    ctx.roundRect(box.x, box.y, box.w, box.h, 16)
    ctx.fill()
    if (columns.length > 1) ctx.stroke()
  }
}

/**
 * One shape for all boxes and inner edges of a group: drawn once in the outline color, then slightly smaller in the
 * background color.
 */
function paintRegion(ctx: CanvasRenderingContext2D, zoom: number, region: Region, p: Paint): void {
  const { group } = region
  const index = ((group.color % PATTERN_COLORS) + PATTERN_COLORS) % PATTERN_COLORS
  const near = !isFilled(group.kind)
  const color = p.palette.pattern[index]!
  const line = Math.max(HALO, 1.4 / zoom)
  if (near) {
    paintOutlined(ctx, zoom, region, index, p)
    return
  }
  if (zoom < FAR) {
    // Outline and stripes would be noise at this size: draw one soft shape, with the nodes in full color on it.
    fillShape(ctx, region, p, { pad: 13, band: 22, style: p.palette.regionFar[index]! })
    return
  }
  fillShape(ctx, region, p, { pad: REGION_PAD + line, band: 18 + line * 2, style: color })
  fillShape(ctx, region, p, { pad: REGION_PAD, band: 18, style: p.palette.region[index]! })
  const hatch = p.palette.hatch(index)
  if (hatch) {
    hatch.setTransform(new DOMMatrix().scale(0.5 / Math.min(zoom, 1)))
    fillShape(ctx, region, p, { pad: REGION_PAD, band: 18, style: hatch })
  }
}

/**
 * A dashed outline: without fill for a near miss, with a plain fill for a place where only shapes are missing. A match has a solid
 * outline.
 */
function paintOutlined(ctx: CanvasRenderingContext2D, zoom: number, region: Region, index: number, p: Paint): void {
  const line = Math.max(3, 2 / zoom)
  const pad = zoom < FAR ? 16 : REGION_PAD
  const dash = p.palette.dash(index)
  dash?.setTransform(new DOMMatrix().scale(0.5 / Math.min(zoom, 1)))
  const outline = dash ?? p.palette.pattern[index]!
  fillShape(ctx, region, p, { pad: pad + line, band: 2 * (pad + line), style: outline })
  const inside = region.group.kind === 'unshaped' ? p.palette.region[index]! : p.palette.column
  fillShape(ctx, region, p, { pad, band: 2 * pad, style: inside })
}

/** @param pad margin around boxes; `band` is the line width of inner edges, both in graph units */
function fillShape(
  ctx: CanvasRenderingContext2D,
  region: Region,
  p: Paint,
  { pad, band, style }: { pad: number; band: number; style: string | CanvasPattern },
): void {
  const { items, edges } = p.scene.layout
  ctx.fillStyle = ctx.strokeStyle = style
  ctx.lineWidth = band
  ctx.lineCap = 'butt'
  ctx.beginPath()
  for (const e of region.bands) traceEdge(ctx, edges[e]!)
  ctx.stroke()
  ctx.beginPath()
  for (const b of region.bridges) ctx.rect(b.x - pad, b.y, b.w + 2 * pad, b.h)
  for (const i of region.items) {
    const b = inflate(items[i]!, pad)
    ctx.roundRect(b.x, b.y, b.w, b.h, Math.min(b.h / 2, 8 + pad / 2))
  }
  ctx.fill()
}

const edgeWidth = (zoom: number): number => Math.max(1.3, Math.min(0.9 / zoom, 7))

function paintEdges(ctx: CanvasRenderingContext2D, zoom: number, area: Box, p: Paint): void {
  ctx.strokeStyle = p.palette.edge
  ctx.lineCap = 'round'
  ctx.lineJoin = 'round'
  ctx.lineWidth = edgeWidth(zoom)
  ctx.globalAlpha = zoom < 0.2 ? 0.75 : 1
  for (const path of p.scene.paths) if (intersects(path.box, area)) ctx.stroke(path.flow)
  if (zoom > 0.12) {
    ctx.lineWidth = Math.max(1, edgeWidth(zoom) * 0.7)
    for (const path of p.scene.paths) if (intersects(path.box, area)) ctx.stroke(path.attach)
  }
  ctx.globalAlpha = 1
  ctx.lineWidth = Math.max(2, 1.2 / zoom)
  ctx.stroke(p.scene.connectors)
}

function paintRegionEdges(ctx: CanvasRenderingContext2D, zoom: number, region: Region, p: Paint): void {
  if (zoom < 0.12) return
  ctx.strokeStyle = p.palette.pattern[region.group.color % PATTERN_COLORS]!
  ctx.lineWidth = edgeWidth(zoom) * 1.3
  ctx.beginPath()
  for (const e of region.edges) traceEdge(ctx, p.scene.layout.edges[e]!)
  ctx.stroke()
}

/** Edges of the selected and hovered nodes, strong. */
function paintNearEdges(ctx: CanvasRenderingContext2D, zoom: number, p: Paint): void {
  const { scene } = p
  const draw = (nodes: ReadonlySet<number>, color: string): void => {
    if (nodes.size === 0 || nodes.size > 60) return
    ctx.strokeStyle = color
    ctx.lineWidth = Math.max(2, 1.6 / zoom)
    ctx.beginPath()
    for (const n of nodes)
      for (const list of [scene.edgesInto[n], scene.edgesFrom[n]])
        for (const e of list ?? []) traceEdge(ctx, scene.layout.edges[e]!)
    ctx.stroke()
  }
  draw(p.hovered, p.palette.edgeStrong)
  draw(p.selected, p.palette.accent)
}

/** A use that prevents a match: dashed, over the edge's own style. */
function paintBlamedEdges(ctx: CanvasRenderingContext2D, zoom: number, p: Paint): void {
  if (p.blamed.size === 0) return
  ctx.strokeStyle = p.palette.culprit
  ctx.lineWidth = Math.max(3, 1.6 / zoom)
  ctx.lineCap = 'butt'
  ctx.setLineDash([7 / zoom, 4 / zoom])
  ctx.beginPath()
  for (const e of p.blamed) traceEdge(ctx, p.scene.layout.edges[e]!)
  ctx.stroke()
  ctx.setLineDash([])
}

function paintNodes(ctx: CanvasRenderingContext2D, zoom: number, visible: readonly number[], p: Paint): void {
  const { scene, palette } = p
  const { items } = scene.layout
  const words = zoom >= AIM_FROM
  // Fills boxes of one color together: a color change per node costs more than the boxes.
  const batches = new Map<string, LayoutItem[]>()
  for (const i of visible) {
    const item = items[i]!
    const color = fillOf(i, item, p, words)
    const batch = batches.get(color)
    if (batch) batch.push(item)
    else batches.set(color, [item])
  }
  for (const [color, batch] of batches) {
    ctx.fillStyle = color
    ctx.beginPath()
    for (const b of batch) {
      if (zoom < 0.08) ctx.rect(b.x, b.y, b.w, b.h)
      else ctx.roundRect(b.x, b.y, b.w, b.h, Math.min(b.h / 2, b.kind === 'chip' || b.kind === 'loose' ? 12 : 8))
    }
    ctx.fill()
    if (words) {
      ctx.strokeStyle = palette.line
      ctx.lineWidth = 1 / zoom
      ctx.stroke()
    }
  }
  if (words) paintWords(ctx, zoom, visible, p)
  for (const i of visible) {
    const item = items[i]!
    const mark = p.marks.get(item.node)
    if (mark && item.consumer < 0) drawMark(ctx, zoom, item, mark, palette)
  }
}

function fillOf(index: number, item: LayoutItem, p: Paint, words: boolean): string {
  const { palette } = p
  const mark = p.marks.get(item.node)
  if (mark && !words) return palette[mark]
  if (words) return p.hovered.has(item.node) ? palette.hairline : palette.card
  const lit = p.regions.ofItem.get(index)?.[0]
  if (lit && isFilled(lit.group.kind)) return palette.pattern[lit.group.color % PATTERN_COLORS]!
  const family = p.scene.graph.nodes[item.node]!.family
  return p.hovered.has(item.node) ? palette.family[family] : palette.familyDim[family]
}

function paintWords(ctx: CanvasRenderingContext2D, zoom: number, visible: readonly number[], p: Paint): void {
  const { scene, palette } = p
  const { items } = scene.layout
  for (const i of visible) {
    const b = items[i]!
    const node = scene.graph.nodes[b.node]!
    ctx.fillStyle = palette.family[node.family]
    if (b.kind === 'node') ctx.fillRect(b.x, b.y + 4, 9, b.h - 8)
    else if (b.kind === 'chip' || b.kind === 'loose') {
      ctx.beginPath()
      ctx.arc(b.x + b.h / 2, b.y + b.h / 2, 4, 0, 7)
      ctx.fill()
    }
  }
  if (zoom < 0.145) return
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'center'
  ctx.fillStyle = palette.text
  // Setting the font is slow: one size at a time.
  for (const size of WORD_SIZES) {
    ctx.font = boldType(size, palette.mono)
    for (const i of visible) {
      const b = items[i]!
      const word = b.kind === 'node' && !scene.graph.blocks.has(b.node) ? scene.words[b.node]! : null
      if (word?.size === size) ctx.fillText(word.text, b.x + b.w / 2 + 5, b.y + b.h / 2 + 1)
    }
  }
  ctx.fillStyle = palette.muted
  ctx.font = boldType(18, palette.mono)
  for (const i of visible) {
    const b = items[i]!
    const index = b.kind === 'compact' ? scene.graph.nodes[b.node]!.args[1] : undefined
    if (index !== undefined) ctx.fillText(`[${index}]`, b.x + b.w / 2, b.y + b.h / 2 + 1)
  }
}

function paintSelection(ctx: CanvasRenderingContext2D, zoom: number, p: Paint): void {
  // Rings around boxes of a few pixels would overlap.
  const small = zoom < AIM_FROM
  const gap = small ? 1 / zoom : Math.max(3, 2 / zoom)
  const ring = (nodes: ReadonlySet<number>, color: string, width: number): void => {
    if (nodes.size === 0) return
    ctx.strokeStyle = ctx.fillStyle = color
    ctx.lineWidth = width
    ctx.beginPath()
    for (const node of nodes)
      for (const i of p.scene.itemsOf[node] ?? []) {
        const b = inflate(p.scene.layout.items[i]!, gap)
        ctx.roundRect(b.x, b.y, b.w, b.h, 8)
      }
    if (small) ctx.fill()
    else ctx.stroke()
  }
  ring(p.hovered, p.palette.text, Math.max(1.5, 1.2 / zoom))
  ring(p.selected, p.palette.accent, Math.max(2.5, 2 / zoom))
}

function paintBadge(ctx: CanvasRenderingContext2D, zoom: number, r: Region, p: Paint): void {
  const { letter, color: index, kind } = r.group
  const color = p.palette.pattern[index % PATTERN_COLORS]!
  const [on, fill] = isFilled(kind) ? [p.palette.onPattern, color] : [color, p.palette.card]
  drawBadge(ctx, zoom, badgeCenter(r, zoom), letter, { color, on, fill, font: p.palette.ui })
}
