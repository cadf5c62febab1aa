/** A rectangle drawn with shift held, or while nodes are picked: the nodes that it touches. */
import { useRef, useState, type MouseEvent, type PointerEvent, type RefObject } from 'react'
import type { Box } from '../box'
import type { Scene } from '../scene'
import type { View } from '../types'

/** Distance in CSS pixels from which a press is a drag. */
const MIN_DRAG = 4
/** A press is canceled if a second finger touches or the system takes it over. */
const ENDS = ['pointerup', 'pointercancel'] as const

interface Options {
  root: RefObject<HTMLElement | null>
  view: RefObject<View>
  scene: Scene | null
  /** True if a press draws without Shift. */
  picking: boolean
  onSelectNodes: ((names: readonly string[]) => void) | undefined
}

export interface Lasso {
  /** In CSS pixels of the canvas; null while none is drawn. */
  box: Box | null
  /** Handlers of the capture phase: the first begins a rectangle, the second keeps the drawing from being dragged. */
  starts: { onPointerDownCapture(event: PointerEvent): void; onMouseDownCapture(event: MouseEvent): void }
  /** True once after a rectangle: the click that ends it must select nothing. */
  endsClick(): boolean
}

export function useLasso({ root, view, scene, picking, onSelectNodes }: Options): Lasso {
  const [box, setBox] = useState<Box | null>(null)
  const drawn = useRef(false)
  const begins = ({ target, shiftKey, button }: MouseEvent): boolean =>
    (shiftKey || picking) &&
    button === 0 &&
    target instanceof Element &&
    target.closest('.react-flow') !== null &&
    target.closest('.react-flow__panel, button') === null
  const onMouseDownCapture = (event: MouseEvent): void => {
    if (!scene || !onSelectNodes || !begins(event)) return
    event.stopPropagation()
    event.preventDefault()
  }
  const onPointerDownCapture = (event: PointerEvent): void => {
    drawn.current = false
    if (!scene || !onSelectNodes || !event.isPrimary || !begins(event)) return
    const { left, top } = root.current!.getBoundingClientRect()
    const start = { x: event.clientX - left, y: event.clientY - top }
    const boxTo = (e: { clientX: number; clientY: number }): Box =>
      boxOf(start, { x: e.clientX - left, y: e.clientY - top })
    const move = (e: globalThis.PointerEvent): void => {
      if (e.pointerId !== event.pointerId) return
      const next = boxTo(e)
      if (!drawn.current && next.w < MIN_DRAG && next.h < MIN_DRAG) return
      drawn.current = true
      setBox(next)
    }
    const up = (e: globalThis.PointerEvent): void => {
      if (e.pointerId !== event.pointerId) return
      window.removeEventListener('pointermove', move)
      for (const end of ENDS) window.removeEventListener(end, up)
      setBox(null)
      if (drawn.current && e.type === 'pointerup') onSelectNodes(nodesIn(scene, view.current, boxTo(e)))
    }
    window.addEventListener('pointermove', move)
    for (const end of ENDS) window.addEventListener(end, up)
  }
  return {
    box,
    starts: { onPointerDownCapture, onMouseDownCapture },
    endsClick() {
      const ends = drawn.current
      drawn.current = false
      return ends
    },
  }
}

interface Point {
  x: number
  y: number
}

const boxOf = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  w: Math.abs(a.x - b.x),
  h: Math.abs(a.y - b.y),
})

/** Names of the nodes whose own box a rectangle on screen touches, in graph order. */
function nodesIn(scene: Scene, { x, y, zoom }: View, box: Box): string[] {
  const area = { x: (box.x - x) / zoom, y: (box.y - y) / zoom, w: box.w / zoom, h: box.h / zoom }
  const nodes = new Set<number>()
  for (const item of scene.grid.query(area)) {
    const { node } = scene.layout.items[item]!
    if (scene.itemsOf[node]![0] === item && !scene.graph.blocks.has(node)) nodes.add(node)
  }
  return [...nodes].sort((a, b) => a - b).map((n) => scene.graph.nodes[n]!.name)
}
