/** Paints the canvas below the nodes, at most once per frame, when its content changes. */
import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import type { Paint } from './paint_content'
import { paint } from './painter'
import type { Stage } from './useStage'
import type { View } from './types'

/** The content to paint; painting starts once it is complete. */
type Wanted = { [K in keyof Paint]: Paint[K] | null }

/**
 * @param onPaint called after each frame with the view it painted
 * @returns requests a frame after the view moved
 */
export function usePainting(
  layer: RefObject<HTMLCanvasElement | null>,
  view: RefObject<View>,
  size: Stage['size'],
  wanted: Wanted,
  onPaint: (view: View) => void,
): () => void {
  const { scene, regions, palette, selected, hovered, marks, foundIn, blamed } = wanted
  const frameRequest = useRef(0)
  const painting = useRef<() => void>(() => {})
  const paintNow = (): void => {
    frameRequest.current = 0
    const canvas = layer.current
    if (!canvas || !size || !isWhole(wanted)) return
    const dpr = Math.min(devicePixelRatio, 2)
    const [w, h] = [Math.round(size.width * dpr), Math.round(size.height * dpr)]
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w
      canvas.height = h
    }
    const ctx = canvas.getContext('2d', { alpha: false })
    if (!ctx) return
    paint(ctx, dpr, view.current, wanted)
    onPaint(view.current)
  }
  // Must run before `schedule` below, so that the requested frame paints this render's props.
  useLayoutEffect(() => {
    painting.current = paintNow
  })
  const schedule = useCallback(() => {
    if (frameRequest.current === 0) frameRequest.current = requestAnimationFrame(() => painting.current())
  }, [])
  useEffect(() => () => cancelAnimationFrame(frameRequest.current), [])
  useLayoutEffect(schedule, [schedule, scene, regions, palette, size, selected, hovered, marks, foundIn, blamed])
  return schedule
}

export const isWhole = (wanted: Wanted): wanted is Paint => Object.values(wanted).every((part) => part !== null)
