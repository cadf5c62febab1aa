import { useRef, useState, type MouseEvent, type PointerEvent, type RefObject } from 'react'
import type { Box } from '../box'
import { blockTip, instanceTitle } from '../../fold/block_text'
import type { Block } from '../../fold/types'
import { fitNodes, frame, type Camera } from '../camera'
import { pick, type Hit } from '../pick'
import type { Regions } from '../regions'
import { mainItem, type Scene } from '../scene'
import type { LayoutItem } from '../../layout'
import { useLasso } from './useLasso'
import type { Tip } from '../Tooltip'
import type { CanvasGroup, GraphCanvasProps, View } from '../types'

const TIP_DELAY_MS = 220

interface Options {
  root: RefObject<HTMLElement | null>
  view: RefObject<View>
  scene: Scene | null
  regions: Regions | null
  groups: readonly CanvasGroup[]
  /** True if some nodes are picked. */
  picked: boolean
  /** True if every press picks. */
  picking: boolean
  notes: ReadonlyMap<string, string> | undefined
  onMenu: ((name: string, at: { clientX: number; clientY: number }) => void) | undefined
  choose(name: string | null, additive: boolean): void
  chooseGroup(id: string): void
  onOpenBlock: GraphCanvasProps['onOpenBlock']
  onFold: GraphCanvasProps['onFold']
  onSelectNodes: ((names: readonly string[]) => void) | undefined
  onHoverNode(name: string | null): void
  moveTo(camera: Camera | null): void
}

export interface PointerHandlers {
  tip: Tip | null
  /** The rectangle that is drawn with shift held, in CSS pixels of the canvas. */
  rectangle: Box | null
  leave(): void
  onPointerDownCapture(event: PointerEvent): void
  onMouseDownCapture(event: MouseEvent): void
  onPointerMove(event: PointerEvent): void
  onClick(event: MouseEvent): void
  onDoubleClick(event: MouseEvent): void
  onContextMenu(event: MouseEvent): void
}

/** Hover, click and double click. Hit tests use the laid-out drawing, whether the canvas or the DOM shows it. */
export function usePointer(options: Options): PointerHandlers {
  const { root, view, scene, groups, picked, picking, onMenu, choose, chooseGroup, onHoverNode, moveTo } = options
  const [shown, setTip] = useState<{ tip: Tip; scene: Scene } | null>(null)
  const lasso = useLasso(options)
  const hitAt = (event: ClientPoint): HitAt => findHit(event, options)
  const over = useRef<{ key: string | null; timer: number; scene: Scene | null }>({ key: null, timer: 0, scene })
  const leave = (): void => {
    clearTimeout(over.current.timer)
    if (over.current.key?.startsWith('node:')) onHoverNode(null)
    over.current = { key: null, timer: 0, scene }
    root.current?.removeAttribute('data-hit')
    setTip(null)
  }
  const onPointerMove = (event: PointerEvent): void => {
    if (event.buttons !== 0 || !isGround(event.target)) return leave()
    const { hit, x, y } = hitAt(event)
    const key = keyOf(hit)
    if (key === over.current.key && scene === over.current.scene) return
    leave()
    if (!hit || !scene) return
    over.current.key = key
    root.current?.setAttribute('data-hit', '')
    if (hit.kind === 'node' && !scene.graph.blocks.has(hit.node)) onHoverNode(scene.graph.nodes[hit.node]!.name)
    over.current.timer = window.setTimeout(() => {
      const content = tipContent(hit, scene, options)
      if (content) setTip({ tip: { x, y, content }, scene })
    }, TIP_DELAY_MS)
  }
  const onClick = (event: MouseEvent): void => {
    if (lasso.endsClick()) return
    // Only this canvas uses the attribute: the panels around it use another `data-group`.
    const badge = event.target instanceof Element ? event.target.closest('[data-pattern-group]') : null
    if (badge) return chooseGroup(badge.getAttribute('data-pattern-group')!)
    const { hit } = hitAt(event)
    if (scene && opensOrFolds(hit, scene, event, options)) return
    const additive = isAdditive(event, picking)
    if (hit?.kind === 'group') chooseGroup(hit.id)
    else if (hit?.kind === 'node') chooseNode(hit, scene!, additive, options)
    else if (!additive) choose(null, false)
  }
  const onDoubleClick = (event: MouseEvent): void => {
    if (!isGround(event.target)) return
    const { hit } = hitAt(event)
    if (!hit || !scene || hit.kind === 'frame' || blockAt(hit, scene)) return
    if (hit.kind === 'node') moveTo(frame(view.current, scene.layout.items[hit.item]!, 1))
    else moveTo(fitNodes(view.current, scene, groups.find((g) => g.id === hit.id)?.nodes ?? []))
  }
  const onContextMenu = (event: MouseEvent): void => {
    if (!onMenu || !isGround(event.target)) return
    const { hit } = hitAt(event)
    if (hit?.kind !== 'node' || blockAt(hit, scene!)) return
    event.preventDefault()
    leave()
    const { name } = scene!.graph.nodes[hit.node]!
    if (!picked) choose(name, false)
    onMenu(name, event)
  }
  // The target under the pointer may not exist in a new drawing.
  const tip = shown?.scene === scene ? shown.tip : null
  return { tip, rectangle: lasso.box, leave, ...lasso.starts, onPointerMove, onClick, onDoubleClick, onContextMenu }
}

const isAdditive = ({ shiftKey, metaKey, ctrlKey }: MouseEvent, picking: boolean): boolean =>
  shiftKey || metaKey || ctrlKey || picking

/** Handles a click on a block or on the label of a frame. @returns false for a click on anything else */
function opensOrFolds(hit: Hit, scene: Scene, { target, shiftKey }: MouseEvent, options: Options): boolean {
  const block = blockAt(hit, scene)
  if (block && goesTo(hit, scene, options)) return true
  if (block) {
    const part = target instanceof Element ? target.closest('[data-open]') : null
    const all = shiftKey || part?.getAttribute('data-open') === 'all'
    options.onOpenBlock?.(block, all ? 'all' : 'first')
  } else if (hit?.kind === 'frame') options.onFold?.(hit.instance)
  else return false
  return true
}

function keyOf(hit: Hit): string | null {
  if (!hit) return null
  if (hit.kind === 'node') return `node:${hit.item}`
  return hit.kind === 'group' ? `group:${hit.id}` : `frame:${hit.instance}`
}

/** Selects a node; a click on the label of a distant node moves the camera there. */
function chooseNode(hit: NonNullable<Hit> & { kind: 'node' }, scene: Scene, additive: boolean, options: Options): void {
  options.choose(scene.graph.nodes[hit.node]!.name, additive)
  if (!additive) goesTo(hit, scene, options)
}

/** Moves to the node or block that a label refers to. @returns false if the hit is not a label */
function goesTo(hit: Hit, scene: Scene, { view, moveTo }: Options): boolean {
  if (hit?.kind !== 'node' || !isDistant(scene.layout.items[hit.item]!)) return false
  const item = mainItem(scene, hit.node)
  if (item) moveTo(frame(view.current, item, view.current.zoom))
  return item !== null
}

/** A label that replaces an edge, or the part of an edge in another column: the node itself is elsewhere. */
const isDistant = ({ kind }: LayoutItem): boolean => kind === 'ref' || kind === 'entry'

const blockAt = (hit: Hit, scene: Scene): Block | null =>
  hit?.kind === 'node' ? (scene.graph.blocks.get(hit.node) ?? null) : null

interface ClientPoint {
  clientX: number
  clientY: number
}

/** A hit with the pointer's position in the canvas element, in CSS pixels. */
interface HitAt {
  hit: Hit
  x: number
  y: number
}

function findHit(event: ClientPoint, { root, view, scene, regions }: Options): HitAt {
  const box = root.current!.getBoundingClientRect()
  const [x, y] = [event.clientX - box.left, event.clientY - box.top]
  const v = view.current
  if (!scene || !regions) return { hit: null, x, y }
  return { hit: pick(scene, regions, (x - v.x) / v.zoom, (y - v.y) / v.zoom, v.zoom), x, y }
}

function tipContent(hit: NonNullable<Hit>, scene: Scene, { groups, notes }: Options): Tip['content'] | null {
  if (hit.kind === 'frame')
    return {
      kind: 'text',
      title: instanceTitle(scene.graph.grouping!.instances[hit.instance]!),
      lines: ['Click to fold'],
    }
  const block = blockAt(hit, scene)
  if (block) return { kind: 'text', ...blockTip(block) }
  if (hit.kind === 'node') {
    const view = scene.graph.nodes[hit.node]!
    return { kind: 'node', view, note: notes?.get(view.name) ?? null }
  }
  const group = groups.find((g) => g.id === hit.id)
  if (!group) return null
  const { label, nodes, note = null } = group
  return { kind: 'group', label, nodes: nodes.length, note }
}

/** The pointer is over the drawing, not over the tools or the minimap. */
const isGround = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('.react-flow') !== null && target.closest('.react-flow__panel') === null
