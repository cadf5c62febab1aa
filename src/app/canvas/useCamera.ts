/** Camera control: moves to requested nodes, and keeps the position after a new drawing. */
import { useCallback, useLayoutEffect, useMemo, useRef, type RefObject } from 'react'
import { useReactFlow } from '@xyflow/react'
import {
  afterResize,
  boxOf,
  cameraAt,
  firstView,
  fitAll,
  fitNodes,
  inView,
  keepPosition,
  reveal,
  type Camera,
} from './camera'
import type { CameraPlace } from '../../workspace/types'
import type { Regions } from './regions'
import type { Scene } from './scene'
import { isFilled, type Framing, type GraphCanvasProps, type View } from './types'
import type { Stage } from './useStage'

const MOVE_MS = 140

interface Shown {
  scene: Scene
  /** The last `start` that took effect. */
  start: CameraPlace | null
  framing: Framing | null
  size: { width: number; height: number }
  firsts: number
  matched: boolean
}

export interface CameraMoves {
  moveTo: (camera: Camera | null, animate?: boolean) => void
  /** Like `moveTo`, but for a tool, a key or a click on this canvas: calls `onMoved`, as a manual pan does. */
  go: (camera: Camera | null) => void
  /** True while a manual move runs. */
  isGoing: () => boolean
  /** Cancels a running move when the user takes over. */
  letGo: () => void
  /** The first view of the drawing (firstView). */
  first: () => Camera
}

interface CameraInput {
  scene: Scene | null
  size: Stage['size']
  framing: Framing | null
  start: CameraPlace | null
  /** See GraphCanvasProps. */
  firsts: number
  regions: Regions | null
  selection: GraphCanvasProps['selection']
  /** The view was set at once, without a move. */
  look: () => void
}

interface Moves extends Omit<CameraMoves, 'first'> {
  /** Target of the running move. A new drawing continues towards it, not from an intermediate position. */
  heading: RefObject<Camera | null>
  /** True until something moves the camera from the first view: until then it follows the first view of each drawing. */
  atFirst: RefObject<boolean>
}

function useMoves(view: RefObject<View>, look: () => void): Moves {
  const flow = useReactFlow()
  const heading = useRef<Camera | null>(null)
  const atFirst = useRef(false)
  const moveTo = useCallback(
    (camera: Camera | null, animate = true) => {
      if (!camera) return
      atFirst.current = false
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
  const letGo = useCallback(() => {
    heading.current = null
    atFirst.current = false
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
  return { moveTo, go, isGoing, letGo, heading, atFirst }
}

export function useCamera(view: RefObject<View>, input: CameraInput): CameraMoves {
  const { scene, size, framing, start, firsts, regions, selection, look } = input
  const { heading, atFirst, ...moves } = useMoves(view, look)
  const { moveTo } = moves
  const shown = useRef<Shown | null>(null)
  const first = useCallback(
    () => (scene && regions ? firstView(view.current, scene, regions) : view.current),
    [view, scene, regions],
  )
  const matched = useMemo(() => regions?.list.some((r) => isFilled(r.group.kind)) ?? false, [regions])
  useLayoutEffect(() => {
    if (!scene || !size) return
    const before = shown.current
    shown.current = { scene, framing, size, firsts, matched, start: before?.start ?? null }
    view.current = { ...view.current, ...size }
    const from = { ...view.current, ...heading.current }
    /** An overview that the user chose stays an overview. */
    const whole = (): Camera | null => (atFirst.current ? null : fitAll(view.current, scene))
    const goFirst = (): void => {
      moveTo(first(), false)
      atFirst.current = true
    }
    // A start set while a drawing is on screen applies at once: it does not wait for the next drawing.
    const started = start && before?.start !== start ? cameraAt(view.current, scene, start) : null
    if (started) shown.current.start = start
    if (before?.scene !== scene) {
      const requested = framing && before?.framing !== framing ? fitNodes(view.current, scene, framing.names) : null
      const stays = before?.firsts === firsts ? (keepPosition(from, before.scene, scene) ?? whole()) : null
      const camera = started ?? requested ?? stays
      if (camera) moveTo(camera, false)
      else goFirst()
    } else if (framing && framing !== before.framing) {
      const seen = framing.unlessSeen?.some((name) => isSeen(view.current, scene, name))
      const focus = framing.own && selection.focus !== null ? scene.indexOf.get(selection.focus) : undefined
      if (framing.own) moveTo(focus === undefined ? null : reveal(view.current, scene, focus))
      else if (!seen) moveTo(fitNodes(view.current, scene, framing.names))
    } else if (firsts !== before.firsts) goFirst()
    else if (atFirst.current && (size !== before.size || (matched && !before.matched))) goFirst()
    else if (size !== before.size)
      moveTo(afterResize({ ...from, ...before.size }, from, scene, framing?.names ?? []), false)
  }, [scene, size, framing, start, firsts, matched, selection, view, moveTo, first, heading, atFirst])
  return { ...moves, first }
}

function isSeen(view: View, scene: Scene, name: string): boolean {
  const box = boxOf(scene, [name])
  return box !== null && inView(view, box)
}
