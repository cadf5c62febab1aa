import '@xyflow/react/dist/style.css'
import { ReactFlow, ReactFlowProvider } from '@xyflow/react'
import { useCallback, useImperativeHandle, useMemo, useRef, type KeyboardEvent, type Ref } from 'react'
import { fitAll, fitNodes, MAX_ZOOM } from './camera'
import { FlowNode } from './FlowNode'
import { Minimap, type MinimapHandle } from './Minimap'
import { buildRegions } from './regions'
import { mainItem, type Scene } from './scene'
import { Tooltip } from './Tooltip'
import type { Direction, GraphCanvasHandle, GraphCanvasProps, View } from './types'
import { useCamera } from './useCamera'
import { useFlowNodes } from './useFlowNodes'
import { useInView } from './useInView'
import { useEdges, useIndices, useMarks } from './useMarked'
import { usePainting } from './usePainting'
import { usePointer } from './usePointer'
import { useScene } from './useScene'
import { useStage } from './useStage'
import { neighbour } from './walk'
import { cx } from '../ui/cx'
import css from '../ui/text.module.css'
import styles from './GraphCanvas.module.css'

const NODE_TYPES = { fx: FlowNode }
const NO_EDGES: never[] = []
const ARIA = {
  'node.a11yDescription.default': 'A node of the graph. Use the arrow keys to walk along its edges.',
  'node.a11yDescription.keyboardDisabled': 'A node of the graph. Use the arrow keys to walk along its edges.',
  'edge.a11yDescription.default': '',
}

/** Draws a graph with pan, zoom and selection. Independent of the stores: all data and events pass through props. */
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
  const view = useRef<View>({ x: 0, y: 0, zoom: 1, width: 0, height: 0 })
  const { size, aspect, palette } = useStage(root, theme)
  const { scene, layoutMs, pending, error } = useScene(graph, aspect)
  const regions = useMemo(() => (scene ? buildRegions(scene, groups) : null), [scene, groups])
  const selected = useIndices(scene, selection.nodes)
  const hovered = useIndices(scene, props.hovered)
  const marks = useMarks(scene, props.marks)
  const blamed = useEdges(scene, props.blamed)
  const content = { scene, regions, palette, selected, hovered, marks, blamed }
  const schedule = usePainting(layer, view, size, content, (shown) => {
    minimap.current?.draw(shown)
    if (zoomText.current) zoomText.current.textContent = `${Math.round(shown.zoom * 100)} %`
  })
  const { visible, detail, look } = useInView(view, scene, size, schedule)
  const nodes = useFlowNodes(visible, content)
  const drawn = useCallback(
    (of: Scene) => void requestAnimationFrame(() => onDrawn?.({ nodes: of.graph.nodes.length, layoutMs })),
    [onDrawn, layoutMs],
  )
  const { moveTo, letGo } = useCamera(view, { scene, size, framing, selection, look, onDrawn: drawn })

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
  /** Beside the focused node, for a menu opened by keyboard. */
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
      className={styles.canvas}
      data-canvas
      data-theme={theme}
      data-side={props.side}
      data-detail={detail}
      data-pending={pending || undefined}
      role="application"
      aria-label={`Graph, ${graph.nodes.length} nodes. Arrow keys walk along edges, f fits the graph, plus and minus zoom.`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerMove={pointer.onPointerMove}
      onPointerLeave={pointer.leave}
      onDoubleClick={pointer.onDoubleClick}
      onContextMenu={pointer.onContextMenu}
      onWheelCapture={pointer.leave}
    >
      <canvas ref={layer} className={styles.layer} aria-hidden="true" />
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
          if (byHand) letGo()
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
      <div className={styles.tools}>
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
      {graph.nodes.length === 0 && <div className={styles.message}>No nodes to draw. Paste a graph on the left.</div>}
      {pending && !scene && !error && <div className={cx(styles.message, styles.late)}>Drawing the graph…</div>}
      {error && <div className={styles.message}>The graph could not be laid out: {error}</div>}
      {pointer.tip && size && <Tooltip tip={pointer.tip} width={size.width} height={size.height} />}
      <div className={css.hidden} aria-live="polite">
        {spoken}
      </div>
    </div>
  )
}

function describe(scene: Scene, node: number): string {
  const n = scene.graph.nodes[node]!
  return `${n.name}, ${n.inner ?? n.target}${n.shape ? `, ${n.dtype ?? ''} ${n.shape}` : ''}, ${n.inputs.length} inputs, ${n.users.length} users`
}
