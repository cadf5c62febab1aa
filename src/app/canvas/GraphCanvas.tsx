import '@xyflow/react/dist/style.css'
import './canvas.css'
import { ReactFlow, ReactFlowProvider, useReactFlow, useStoreApi } from '@xyflow/react'
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type Ref,
} from 'react'
import { afterResize, boxOf, fitAll, fitNodes, inView, keepPlace, MAX_ZOOM, reveal, type Camera } from './camera'
import { FlowNode } from './FlowNode'
import { Minimap, type MinimapHandle } from './Minimap'
import { paint } from './painter'
import { buildRegions } from './regions'
import type { Box } from './box'
import { mainItem, type Scene } from './scene'
import { Tooltip } from './Tooltip'
import {
  DOM_FROM,
  FULL_FROM,
  type Direction,
  type Framing,
  type GraphCanvasHandle,
  type Mark,
  type GraphCanvasProps,
  type View,
} from './types'
import { useFlowNodes } from './useFlowNodes'
import { usePointer } from './usePointer'
import { useScene } from './useScene'
import { useStage } from './useStage'
import { neighbour } from './walk'

const NODE_TYPES = { fx: FlowNode }
const NO_EDGES: never[] = []
const ARIA = {
  'node.a11yDescription.default': 'A node of the graph. Use the arrow keys to walk along its edges.',
  'node.a11yDescription.keyboardDisabled': 'A node of the graph. Use the arrow keys to walk along its edges.',
  'edge.a11yDescription.default': '',
}
const MOVE_MS = 140
/** Draws a graph and lets people look around in it. Knows nothing of stores: everything comes and goes by props. */
export function GraphCanvas(props: GraphCanvasProps & { ref?: Ref<GraphCanvasHandle> }) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  )
}

function Canvas(props: GraphCanvasProps & { ref?: Ref<GraphCanvasHandle> }) {
  const { graph, groups, selection, theme, onSelectNode, onHoverNode, onSelectGroup, onDrawn, ref } = props
  const framing = props.framing ?? null
  const root = useRef<HTMLDivElement>(null)
  const layer = useRef<HTMLCanvasElement>(null)
  const minimap = useRef<MinimapHandle>(null)
  const zoomText = useRef<HTMLOutputElement>(null)
  const flow = useReactFlow()
  const store = useStoreApi()
  const view = useRef<View>({ x: 0, y: 0, zoom: 1, width: 0, height: 0 })
  const { size, aspect, palette } = useStage(root, theme)
  const { scene, layoutMs, pending, error } = useScene(graph, aspect)
  const regions = useMemo(() => (scene ? buildRegions(scene, groups) : null), [scene, groups])
  const [visible, setVisible] = useState<readonly number[]>([])
  const [detail, setDetail] = useState<'canvas' | 'name' | 'full'>('canvas')
  const selected = useIndices(scene, selection.nodes)
  const hovered = useIndices(scene, props.hovered)
  const marks = useMemo(() => {
    const byIndex = new Map<number, Mark>()
    for (const [name, mark] of props.marks) {
      const i = scene?.indexOf.get(name)
      if (i !== undefined) byIndex.set(i, mark)
    }
    return byIndex
  }, [scene, props.marks])
  const blamed = useMemo(() => {
    const edges = new Set<number>()
    for (const [from, to] of props.blamed ?? []) {
      const target = scene?.indexOf.get(to)
      for (const e of scene?.edgesFrom[scene.indexOf.get(from) ?? -1] ?? [])
        if (scene!.layout.edges[e]!.target === target) edges.add(e)
    }
    return edges
  }, [scene, props.blamed])
  const nodes = useFlowNodes(scene, visible, regions, selected, hovered, marks)

  // ---- drawing ----
  const frameRequest = useRef(0)
  const painting = useRef<() => void>(() => {})
  painting.current = () => {
    frameRequest.current = 0
    const canvas = layer.current
    if (!canvas || !scene || !regions || !palette || !size) return
    const dpr = Math.min(devicePixelRatio, 2)
    const [w, h] = [Math.round(size.width * dpr), Math.round(size.height * dpr)]
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w
      canvas.height = h
    }
    const ctx = canvas.getContext('2d', { alpha: false })
    if (!ctx) return
    paint(ctx, dpr, view.current, { scene, regions, palette, selected, hovered, marks, blamed })
    minimap.current?.draw(view.current)
    if (zoomText.current) zoomText.current.textContent = `${Math.round(view.current.zoom * 100)} %`
  }
  const schedule = useCallback(() => {
    if (frameRequest.current === 0) frameRequest.current = requestAnimationFrame(() => painting.current())
  }, [])
  useEffect(() => () => cancelAnimationFrame(frameRequest.current), [])
  useLayoutEffect(schedule, [schedule, scene, regions, palette, size, selected, hovered, marks, blamed])

  // ---- what is in view ----
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
    // A quarter of a window more on each side: panning mounts nodes in batches, not on every frame.
    const wide = { x: area.x - area.w / 4, y: area.y - area.h / 4, w: area.w * 1.5, h: area.h * 1.5 }
    loaded.current = { scene, area: wide }
    setVisible(scene.grid.query(wide))
  }, [scene])
  useLayoutEffect(() => {
    const follow = (): void => {
      const [x, y, zoom] = store.getState().transform
      const v = view.current
      if (v.x === x && v.y === y && v.zoom === zoom) return
      view.current = { ...v, x, y, zoom }
      schedule()
      look()
    }
    follow()
    return store.subscribe(follow)
  }, [store, schedule, look])
  useLayoutEffect(() => {
    if (size) view.current = { ...view.current, ...size }
    look()
  }, [size, look])

  // Where a move under way will end. A new drawing goes on from there, not from a place that is only passed.
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
    [flow, look],
  )

  // ---- a new drawing: stay at the place that was in view, or show the whole ----
  const shown = useRef<{ scene: Scene; framing: Framing | null; size: { width: number; height: number } } | null>(null)
  useLayoutEffect(() => {
    if (!scene || !size) return
    const before = shown.current
    shown.current = { scene, framing, size }
    view.current = { ...view.current, ...size }
    const from = { ...view.current, ...heading.current }
    if (before?.scene !== scene) {
      const kept = before && keepPlace(from, before.scene, scene)
      const asked = framing && before?.framing !== framing ? fitNodes(view.current, scene, framing.names) : null
      moveTo(asked ?? kept ?? fitAll(view.current, scene), false)
      requestAnimationFrame(() => onDrawn?.({ nodes: scene.graph.nodes.length, layoutMs }))
      return
    }
    if (framing && framing !== before.framing) {
      const seen = framing.unlessSeen?.some((name) => isSeen(view.current, scene, name))
      const focus = framing.own && selection.focus !== null ? scene.indexOf.get(selection.focus) : undefined
      if (framing.own) moveTo(focus === undefined ? null : reveal(view.current, scene, focus))
      else if (!seen) moveTo(fitNodes(view.current, scene, framing.names))
    } else if (size !== before.size)
      moveTo(afterResize({ ...from, ...before.size }, from, scene, framing?.names ?? []), false)
  }, [scene, size, framing, selection, moveTo, onDrawn, layoutMs])

  const choose = (name: string | null, additive: boolean): void => onSelectNode(name, { additive })
  const chooseGroup = onSelectGroup

  const walk = (direction: Direction): void => {
    if (!scene) return
    const from = selection.focus ?? [...selection.nodes][0]
    const node = from === undefined ? undefined : scene.indexOf.get(from)
    if (node === undefined) {
      const first = scene.layout.items.find((i) => i.kind === 'node')
      if (first) choose(scene.graph.nodes[first.node]!.name, false)
      return
    }
    const next = neighbour(scene, node, direction)
    if (next !== null) choose(scene.graph.nodes[next]!.name, false)
  }
  const zoomBy = (factor: number): void => {
    const v = view.current
    const zoom = Math.max(minZoom, Math.min(MAX_ZOOM, v.zoom * factor))
    const k = zoom / v.zoom
    moveTo({ zoom, x: v.width / 2 - (v.width / 2 - v.x) * k, y: v.height / 2 - (v.height / 2 - v.y) * k })
  }
  const fit = (): void => {
    if (scene) moveTo(fitAll(view.current, scene))
  }
  useImperativeHandle(ref, () => ({
    fit,
    focusNodes: (names) => scene && moveTo(fitNodes(view.current, scene, names)),
    zoomIn: () => zoomBy(1.4),
    zoomOut: () => zoomBy(1 / 1.4),
    focusNext: walk,
  }))

  const pointer = usePointer({
    root,
    view,
    scene,
    regions,
    groups,
    notes: props.notes,
    onMenu: props.onNodeMenu,
    choose,
    chooseGroup,
    onHoverNode,
    moveTo,
  })
  /** Beside the node that has the keyboard, for who asks for its menu by key. */
  const openMenu = (): boolean => {
    const node = selection.focus === null ? undefined : scene?.indexOf.get(selection.focus)
    const item = node === undefined ? null : mainItem(scene!, node)
    if (!item || !props.onNodeMenu) return false
    const box = root.current!.getBoundingClientRect()
    const v = view.current
    const at = (x: number, low: number, size: number): number => low + Math.max(8, Math.min(size - 8, x))
    props.onNodeMenu(selection.focus!, {
      clientX: at((item.x + 20) * v.zoom + v.x, box.left, box.width),
      clientY: at((item.y + item.h) * v.zoom + v.y, box.top, box.height),
    })
    return true
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) && openMenu()) {
      event.preventDefault()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return
    const actions: Record<string, () => void> = {
      ArrowUp: () => walk('up'),
      ArrowDown: () => walk('down'),
      ArrowLeft: () => walk('left'),
      ArrowRight: () => walk('right'),
      f: fit,
      '+': () => zoomBy(1.4),
      '=': () => zoomBy(1.4),
      '-': () => zoomBy(1 / 1.4),
      Escape: () => choose(null, false),
    }
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  const minZoom = useMemo(
    () => (scene && size ? Math.min(0.3, fitAll({ ...view.current, ...size }, scene).zoom * 0.6) : 0.02),
    [scene, size],
  )
  const chosen = selection.focus === null ? undefined : scene?.indexOf.get(selection.focus)
  const spoken = chosen === undefined ? '' : describe(scene!, chosen)
  return (
    <div
      ref={root}
      className="fc"
      data-theme={theme}
      data-side={props.side}
      data-detail={detail}
      data-pending={pending || undefined}
      role="application"
      aria-label={`Graph, ${graph.nodes.length} nodes. Arrow keys walk along edges, f shows the whole, plus and minus zoom.`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerMove={pointer.onPointerMove}
      onPointerLeave={pointer.leave}
      onDoubleClick={pointer.onDoubleClick}
      onContextMenu={pointer.onContextMenu}
      onWheelCapture={pointer.leave}
    >
      <canvas ref={layer} className="fc-layer" aria-hidden="true" />
      <ReactFlow
        nodes={nodes}
        edges={NO_EDGES}
        nodeTypes={NODE_TYPES}
        ariaLabelConfig={ARIA}
        minZoom={minZoom}
        maxZoom={MAX_ZOOM}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        zoomActivationKeyCode={null}
        zoomOnDoubleClick={false}
        attributionPosition="top-right"
        onNodeClick={pointer.onClick}
        onPaneClick={pointer.onClick}
        onMoveStart={(byHand) => {
          if (byHand) heading.current = null
        }}
      />
      {scene && regions && palette && size && scene.graph.nodes.length > 40 && size.width > 460 && (
        <Minimap
          ref={minimap}
          scene={scene}
          regions={regions}
          palette={palette}
          onMove={(x, y) => {
            const v = view.current
            moveTo({ zoom: v.zoom, x: v.width / 2 - x * v.zoom, y: v.height / 2 - y * v.zoom }, false)
          }}
        />
      )}
      <div className="fc-tools">
        <button type="button" onClick={() => zoomBy(1 / 1.4)} aria-label="Zoom out" title="Zoom out (-)">
          −
        </button>
        <button type="button" onClick={() => zoomBy(1.4)} aria-label="Zoom in" title="Zoom in (+)">
          +
        </button>
        <button type="button" onClick={fit} title="Show the whole graph (f)">
          Fit
        </button>
        <output ref={zoomText} />
      </div>
      {graph.nodes.length === 0 && <div className="fc-message">No nodes to draw. Paste a graph on the left.</div>}
      {pending && !scene && !error && <div className="fc-message fc-late">Drawing the graph…</div>}
      {error && <div className="fc-message">The graph could not be laid out: {error}</div>}
      {pointer.tip && size && <Tooltip tip={pointer.tip} width={size.width} height={size.height} />}
      <div className="fc-hidden" aria-live="polite">
        {spoken}
      </div>
    </div>
  )
}

function isSeen(view: View, scene: Scene, name: string): boolean {
  const box = boxOf(scene, [name])
  return box !== null && inView(view, box)
}

function useIndices(scene: Scene | null, names: ReadonlySet<string>): ReadonlySet<number> {
  return useMemo(() => {
    const found = new Set<number>()
    for (const name of names) {
      const i = scene?.indexOf.get(name)
      if (i !== undefined) found.add(i)
    }
    return found
  }, [scene, names])
}

const contains = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.w <= outer.x + outer.w &&
  inner.y + inner.h <= outer.y + outer.h

function describe(scene: Scene, node: number): string {
  const n = scene.graph.nodes[node]!
  return `${n.name}, ${n.inner ?? n.target}${n.shape ? `, ${n.dtype ?? ''} ${n.shape}` : ''}, ${n.inputs.length} inputs, ${n.users.length} users`
}
