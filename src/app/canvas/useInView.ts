/** Follows React Flow's viewport, and finds the items to mount for it. */
import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { useStoreApi } from '@xyflow/react'
import type { Box } from './box'
import type { Scene } from './scene'
import { DOM_FROM, FULL_FROM, type View } from './types'
import type { Stage } from './useStage'

export interface InView {
  /** Indices of the layout's items in and near the view; empty while the canvas draws everything. */
  visible: readonly number[]
  detail: 'canvas' | 'name' | 'full'
  /** Updates after an external change of the view. */
  look: () => void
}

/** Keeps `view` equal to the visible viewport. @param onMove called when the view moves */
export function useInView(view: RefObject<View>, scene: Scene | null, size: Stage['size'], onMove: () => void): InView {
  const store = useStoreApi()
  const [visible, setVisible] = useState<readonly number[]>([])
  const [detail, setDetail] = useState<InView['detail']>('canvas')
  const loaded = useRef<{ scene: Scene | null; area: Box } | null>(null)
  const look = useCallback(() => {
    const v = view.current
    setDetail(v.zoom < DOM_FROM ? 'canvas' : v.zoom < FULL_FROM ? 'name' : 'full')
    if (!scene || v.zoom < DOM_FROM) {
      loaded.current = null
      setVisible((old) => (old.length === 0 ? old : []))
      return
    }
    const area: Box = { x: -v.x / v.zoom, y: -v.y / v.zoom, w: v.width / v.zoom, h: v.height / v.zoom }
    const have = loaded.current
    if (have?.scene === scene && contains(have.area, area) && have.area.w < area.w * 4) return
    // A margin of a quarter window on each side: panning mounts nodes in batches, not on every frame.
    const wide = { x: area.x - area.w / 4, y: area.y - area.h / 4, w: area.w * 1.5, h: area.h * 1.5 }
    loaded.current = { scene, area: wide }
    setVisible(scene.grid.query(wide))
  }, [scene, view])
  useLayoutEffect(() => {
    const follow = (): void => {
      const [x, y, zoom] = store.getState().transform
      const v = view.current
      if (v.x === x && v.y === y && v.zoom === zoom) return
      view.current = { ...v, x, y, zoom }
      onMove()
      look()
    }
    follow()
    return store.subscribe(follow)
  }, [store, view, onMove, look])
  useLayoutEffect(() => {
    if (size) view.current = { ...view.current, ...size }
    look()
  }, [size, view, look])
  return { visible, detail, look }
}

const contains = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.w <= outer.x + outer.w &&
  inner.y + inner.h <= outer.y + outer.h
