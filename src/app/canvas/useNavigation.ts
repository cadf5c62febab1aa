/** Moves the camera and the selection for the canvas tools, the keyboard and the canvas handle. */
import { useImperativeHandle, type KeyboardEvent, type Ref, type RefObject } from 'react'
import { entryOf } from './blocks/entry'
import { cameraAt, cameraPlace, fitAll, fitNodes, MAX_ZOOM, type Camera } from './camera'
import { neighbor } from './neighbor'
import { mainItem, type Scene } from './scene'
import type { Direction, GraphCanvasHandle, GraphCanvasProps, View } from './types'
import type { CameraMoves } from './useCamera'

const ZOOM_STEP = 1.4

interface NavigationInput {
  root: RefObject<HTMLElement | null>
  view: RefObject<View>
  scene: Scene | null
  minZoom: number
  camera: CameraMoves
  choose(name: string | null, additive: boolean): void
  picture: GraphCanvasHandle['picture']
}

export interface Navigation {
  fit(): void
  zoomIn(): void
  zoomOut(): void
  /** Moves a point of the drawing to the middle, at once. */
  center(x: number, y: number): void
  onKeyDown(event: KeyboardEvent): void
}

export function useNavigation(
  props: Pick<GraphCanvasProps, 'side' | 'selection' | 'onNodeMenu' | 'onMoved'> & { ref?: Ref<GraphCanvasHandle> },
  input: NavigationInput,
): Navigation {
  const { root, view, scene, minZoom, choose } = input
  const { moveTo, go, first } = input.camera
  const { selection, onNodeMenu, onMoved } = props
  const walk = (direction: Direction, additive: boolean): void => {
    const name = scene && nextName(scene, selection, direction)
    if (name !== null) choose(name, additive)
  }
  const center = (x: number, y: number): void => {
    moveTo(centered(view.current, x, y), false)
    onMoved?.()
  }
  const moves = (move: CameraMoves['go']): Pick<Navigation, 'fit' | 'zoomIn' | 'zoomOut'> => ({
    fit: () => scene && move(fitAll(view.current, scene)),
    zoomIn: () => move(zoomed(view.current, ZOOM_STEP, minZoom)),
    zoomOut: () => move(zoomed(view.current, 1 / ZOOM_STEP, minZoom)),
  })
  const tools = moves(go)
  useImperativeHandle(props.ref, () => ({
    ...moves((camera) => moveTo(camera)),
    focusNodes: (names) => scene && moveTo(fitNodes(view.current, scene, names)),
    place: () => scene && onSide(props.side, cameraPlace(view.current, scene, first())),
    lookAt: (place) => scene && moveTo(place ? cameraAt(view.current, scene, place) : first(), false),
    picture: input.picture,
  }))
  /** Position beside the focused node, for a menu opened by keyboard. */
  const openMenu = (): boolean => {
    const node = selection.focus === null ? undefined : scene?.indexOf.get(selection.focus)
    const item = node === undefined ? null : mainItem(scene!, node)
    if (!item || !onNodeMenu) return false
    onNodeMenu(selection.focus!, menuPoint(item, root.current!.getBoundingClientRect(), view.current))
    return true
  }
  const actions: Record<string, (additive: boolean) => void> = {
    ArrowUp: (additive) => walk('up', additive),
    ArrowDown: (additive) => walk('down', additive),
    ArrowLeft: (additive) => walk('left', additive),
    ArrowRight: (additive) => walk('right', additive),
    f: tools.fit,
    '+': tools.zoomIn,
    '=': tools.zoomIn,
    '-': tools.zoomOut,
    Escape: () => choose(null, false),
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) && openMenu()) {
      event.preventDefault()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action(event.shiftKey)
  }
  return { ...tools, center, onKeyDown }
}

const onSide = (side: 'before' | 'after', place: ReturnType<typeof cameraPlace>) => place && { side, ...place }

/** The node an arrow key selects; the first node of the drawing if none is selected. Null: the selection stays. */
function nextName(scene: Scene, selection: GraphCanvasProps['selection'], direction: Direction): string | null {
  const from = selection.focus ?? [...selection.nodes][0]
  const node = from === undefined ? undefined : scene.indexOf.get(from)
  const next =
    node === undefined
      ? (scene.layout.items.find((i) => i.kind === 'node')?.node ?? null)
      : neighbor(scene, node, direction)
  if (next === null) return null
  const block = scene.graph.blocks.get(next)
  return block ? entryOf(scene.graph, block, from ?? null, direction) : scene.graph.nodes[next]!.name
}

const centered = ({ zoom, width, height }: View, x: number, y: number): Camera => ({
  zoom,
  x: width / 2 - x * zoom,
  y: height / 2 - y * zoom,
})

/** The camera after a zoom around the middle of the view. */
function zoomed(v: View, factor: number, minZoom: number): Camera {
  const zoom = Math.max(minZoom, Math.min(MAX_ZOOM, v.zoom * factor))
  const k = zoom / v.zoom
  return { zoom, x: v.width / 2 - (v.width / 2 - v.x) * k, y: v.height / 2 - (v.height / 2 - v.y) * k }
}

/** Below the item's left end, inside the canvas. */
function menuPoint(
  item: { x: number; y: number; h: number },
  box: DOMRect,
  v: View,
): { clientX: number; clientY: number } {
  const at = (x: number, low: number, size: number): number => low + Math.max(8, Math.min(size - 8, x))
  return {
    clientX: at((item.x + 20) * v.zoom + v.x, box.left, box.width),
    clientY: at((item.y + item.h) * v.zoom + v.y, box.top, box.height),
  }
}
