/** Camera control: moves to requested nodes, and keeps the position after a new drawing. */
import { useCallback, useLayoutEffect, useRef, type RefObject } from 'react'
import { useReactFlow } from '@xyflow/react'
import { afterResize, boxOf, cameraAt, fitAll, fitNodes, inView, keepPosition, reveal, type Camera } from './camera'
import type { CameraPlace } from '../../workspace/types'
import type { Scene } from './scene'
import type { Framing, GraphCanvasProps, View } from './types'
import type { Stage } from './useStage'

const MOVE_MS = 140

interface Shown {
  scene: Scene
  /** The last start that took effect. */
  start: CameraPlace | null
  framing: Framing | null
  size: { width: number; height: number }
}

export interface CameraMoves {
  moveTo: (camera: Camera | null, animate?: boolean) => void
  /** As `moveTo`, for a tool, a key or a click of this canvas: `onMoved` is called, as for a pan by hand. */
  go: (camera: Camera | null) => void
  /** True while such a move runs. */
  isGoing: () => boolean
  /** Cancels a running move when the user takes over. */
  letGo: () => void
}

interface CameraInput {
  scene: Scene | null
  size: Stage['size']
  framing: Framing | null
  start: CameraPlace | null
  selection: GraphCanvasProps['selection']
  /** The view was set at once, without a move. */
  look: () => void
  /** A new drawing is on screen. */
  onDrawn: (scene: Scene) => void
}

export function useCamera(view: RefObject<View>, input: CameraInput): CameraMoves {
  const { scene, size, framing, start, selection, look, onDrawn } = input
  const flow = useReactFlow()
  // Target of the running move. A new drawing continues from there, not from an intermediate position.
  const heading = useRef<Camera | null>(null)
  const moveTo = useCallback(
    (camera: Camera | null, animate = true) => {
      if (!camera) return
      const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
      heading.current = camera
      void flow.setViewport(camera, { duration: animate && !calm ? MOVE_MS : 0 }).then(() => {
        if (heading.current === camera) heading.current = null
      })
      if (!animate) {
        view.current = { ...view.current, ...camera }
        look()
      }
    },
    [flow, view, look],
  )
  const shown = useRef<Shown | null>(null)
  useLayoutEffect(() => {
    if (!scene || !size) return
    const before = shown.current
    shown.current = { scene, framing, size, start: before?.start ?? null }
    view.current = { ...view.current, ...size }
    const from = { ...view.current, ...heading.current }
    if (before?.scene !== scene) {
      const begun = start && before?.start !== start ? cameraAt(view.current, scene, start) : null
      if (begun) shown.current.start = start
      const kept = before && keepPosition(from, before.scene, scene)
      const requested = framing && before?.framing !== framing ? fitNodes(view.current, scene, framing.names) : null
      moveTo(begun ?? requested ?? kept ?? fitAll(view.current, scene), false)
      onDrawn(scene)
      return
    }
    if (framing && framing !== before.framing) {
      const seen = framing.unlessSeen?.some((name) => isSeen(view.current, scene, name))
      const focus = framing.own && selection.focus !== null ? scene.indexOf.get(selection.focus) : undefined
      if (framing.own) moveTo(focus === undefined ? null : reveal(view.current, scene, focus))
      else if (!seen) moveTo(fitNodes(view.current, scene, framing.names))
    } else if (size !== before.size)
      moveTo(afterResize({ ...from, ...before.size }, from, scene, framing?.names ?? []), false)
  }, [scene, size, framing, start, selection, view, moveTo, onDrawn])
  const letGo = useCallback(() => {
    heading.current = null
  }, [])
  const going = useRef<Camera | null>(null)
  const go = useCallback(
    (camera: Camera | null) => {
      going.current = camera
      moveTo(camera)
    },
    [moveTo],
  )
  const isGoing = useCallback(() => going.current !== null && going.current === heading.current, [])
  return { moveTo, go, isGoing, letGo }
}

function isSeen(view: View, scene: Scene, name: string): boolean {
  const box = boxOf(scene, [name])
  return box !== null && inView(view, box)
}
