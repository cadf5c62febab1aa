import { useEffect, useImperativeHandle, useRef, type PointerEvent, type Ref } from 'react'
import type { Palette } from './palette'
import type { Regions } from './regions'
import type { Scene } from './scene'
import { isFilled, PATTERN_COLORS, type View } from './types'
import styles from './Minimap.module.css'

export interface MinimapHandle {
  draw(view: View): void
}

interface MinimapContent {
  scene: Scene
  regions: Regions
  palette: Palette
}

interface MinimapProps extends MinimapContent {
  /** Point to center, in graph coordinates. */
  onMove(x: number, y: number): void
  ref?: Ref<MinimapHandle>
}

const MAX_SIZE = { w: 200, h: 132 }
const MARGIN = 5

/**
 * The whole drawing as a thumbnail, with highlighted groups and a draggable viewport. One bitmap, redrawn only when the
 * drawing changes.
 */
export function Minimap({ scene, regions, palette, onMove, ref }: MinimapProps) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const base = useRef<HTMLCanvasElement | null>(null)
  const view = useRef<View | null>(null)
  const { layout } = scene
  const scale = Math.min((MAX_SIZE.w - 2 * MARGIN) / layout.width, (MAX_SIZE.h - 2 * MARGIN) / layout.height, 0.2)
  const width = Math.round(layout.width * scale + 2 * MARGIN)
  const height = Math.round(layout.height * scale + 2 * MARGIN)

  const draw = (): void => {
    const ctx = canvas.current?.getContext('2d')
    const v = view.current
    if (!ctx || !base.current || !v) return
    // Hidden while the whole drawing is in view: the map would only cover it.
    const [left, top] = [-v.x / v.zoom, -v.y / v.zoom]
    const all =
      left <= 0 && top <= 0 && left + v.width / v.zoom >= layout.width && top + v.height / v.zoom >= layout.height
    box.current!.style.visibility = all ? 'hidden' : 'visible'
    if (all) return
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.drawImage(base.current, 0, 0)
    paintViewport(ctx, v, { width, height, scale }, palette.accent)
  }

  useEffect(() => {
    const dpr = devicePixelRatio
    const bitmap = document.createElement('canvas')
    for (const c of [bitmap, canvas.current!]) {
      c.width = Math.round(width * dpr)
      c.height = Math.round(height * dpr)
    }
    paintDrawing(bitmap, scale, { scene, regions, palette })
    base.current = bitmap
    draw()
    // `draw` reads the same values.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [scene, regions, palette, width, height, scale])

  useImperativeHandle(ref, () => ({
    draw(v) {
      view.current = v
      draw()
    },
  }))

  const move = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.buttons !== 1) return
    const at = canvas.current!.getBoundingClientRect()
    onMove((event.clientX - at.left - MARGIN) / scale, (event.clientY - at.top - MARGIN) / scale)
  }
  return (
    <div
      ref={box}
      className={styles.minimap}
      aria-hidden="true"
      onPointerDown={(e) => {
        e.currentTarget.setPointerCapture(e.pointerId)
        move(e)
      }}
      onPointerMove={move}
    >
      <canvas ref={canvas} style={{ width, height }} />
    </div>
  )
}

/** Paints the nodes and the highlighted groups into the bitmap. */
function paintDrawing(bitmap: HTMLCanvasElement, scale: number, content: MinimapContent): void {
  const { scene, regions, palette } = content
  const { layout } = scene
  const ctx = bitmap.getContext('2d')!
  const dpr = devicePixelRatio
  ctx.fillStyle = palette.column
  ctx.fillRect(0, 0, bitmap.width, bitmap.height)
  ctx.setTransform(dpr * scale, 0, 0, dpr * scale, dpr * MARGIN, dpr * MARGIN)
  const least = 0.9 / scale
  ctx.globalAlpha = 0.8
  for (const item of layout.items) {
    if (item.consumer >= 0) continue
    ctx.fillStyle = palette.familyDim[scene.graph.nodes[item.node]!.family]
    ctx.fillRect(item.x, item.y, item.w, Math.max(item.h, least))
  }
  ctx.globalAlpha = 1
  for (const r of regions.list) {
    if (!isFilled(r.group.kind)) continue
    ctx.fillStyle = palette.pattern[r.group.color % PATTERN_COLORS]!
    const grow = Math.max(0, 1.6 / scale - 52) / 2
    for (const i of r.items) {
      const b = layout.items[i]!
      ctx.fillRect(b.x, b.y - grow, b.w, b.h + 2 * grow)
    }
  }
}

/** Paints the rectangle of the visible area; `width` and `height` in CSS pixels. */
function paintViewport(
  ctx: CanvasRenderingContext2D,
  v: View,
  { width, height, scale }: { width: number; height: number; scale: number },
  color: string,
): void {
  const dpr = devicePixelRatio
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0)
  const x = (-v.x / v.zoom) * scale + MARGIN
  const y = (-v.y / v.zoom) * scale + MARGIN
  const w = (v.width / v.zoom) * scale
  const h = (v.height / v.zoom) * scale
  ctx.fillStyle = color
  ctx.globalAlpha = 0.1
  ctx.fillRect(x, y, w, h)
  ctx.globalAlpha = 1
  ctx.strokeStyle = color
  ctx.lineWidth = 1.5
  ctx.strokeRect(
    Math.max(0.75, x),
    Math.max(0.75, y),
    Math.min(width - 0.75, x + w) - Math.max(0.75, x),
    Math.min(height - 0.75, y + h) - Math.max(0.75, y),
  )
}
