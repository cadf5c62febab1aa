import '@xyflow/react/dist/style.css'
import { ReactFlow, ReactFlowProvider } from '@xyflow/react'
import { useMemo, useRef, useState, type Ref, type RefObject, useEffect } from 'react'
import type { Box } from './box'
import { fitAll, MAX_ZOOM } from './camera'
import { FlowNode } from './FlowNode'
import { Minimap, type MinimapHandle } from './Minimap'
import { buildRegions } from './regions'
import { type Scene, buildScene } from './scene'
import { Tooltip } from './Tooltip'
import type { GraphCanvasHandle, GraphCanvasProps, View } from './types'
import { useCamera } from './useCamera'
import { useFlowNodes } from './useFlowNodes'
import { useInView } from './useInView'
import { useNavigation, type Navigation } from './useNavigation'
import { useEdges, useFoundIn, useIndices, useMarks } from './useMarked'
import { isWhole, usePainting } from './usePainting'
import { usePointer } from './pointer/usePointer'
import { useStage } from './useStage'
import { count } from '../../base/english'
import { css, cx } from '../ui/css'
import styles from './GraphCanvas.module.css'
import { messageOf } from '../../base/error_message'
import type { DrawnGraph } from '../fold/types'
import { createLayoutClient, type LayoutClient } from '../layout'

interface SceneState {
  /** The last drawn scene; it belongs to an older graph while `pending`. */
  scene: Scene | null
  pending: boolean
  error: string | null
}

/** Lays the graph out in a worker and keeps the last drawing until the new one is ready. */
function useScene(graph: DrawnGraph, aspect: number | null): SceneState {
  const client = useRef<LayoutClient | null>(null)
  client.current ??= createLayoutClient()
  const [state, setState] = useState<SceneState>({ scene: null, pending: true, error: null })
  useEffect(() => () => client.current?.dispose(), [])
  useEffect(() => {
    if (aspect === null) return
    const abort = new AbortController()
    client.current!.layout(graph, aspect, abort.signal).then(
      (result) => {
        if (abort.signal.aborted) return
        setState({ scene: buildScene(graph, result), pending: false, error: null })
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        setState((s) => ({ ...s, pending: false, error: messageOf(error) }))
      },
    )
    return () => abort.abort()
  }, [graph, aspect])
  return { ...state, pending: state.pending || state.scene?.graph !== graph }
}

const NODE_TYPES = { fx: FlowNode }
const NO_EDGES: never[] = []
const ARIA = {
  'node.a11yDescription.default': 'A node of the graph. Use the arrow keys to walk along its edges.',
  'node.a11yDescription.keyboardDisabled': 'A node of the graph. Use the arrow keys to walk along its edges.',
  'edge.a11yDescription.default': '',
}

/** React Flow only draws nodes and handles pan and zoom; keys and selection are ours. */
const FLOW_PROPS = {
  edges: NO_EDGES,
  nodeTypes: NODE_TYPES,
  ariaLabelConfig: ARIA,
  maxZoom: MAX_ZOOM,
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  panActivationKeyCode: null,
  zoomActivationKeyCode: null,
  zoomOnDoubleClick: false,
  attributionPosition: 'top-right',
} as const

/** Draws a graph with pan, zoom and selection. Uses no store: all data and events pass through props. */
export function GraphCanvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  )
}

type CanvasProps = GraphCanvasProps & { ref?: Ref<GraphCanvasHandle> }

function Canvas(props: CanvasProps) {
  const { graph, theme } = props
  const canvas = useCanvas(props)
  const { scene, content, size, pointer, navigation } = canvas
  const { regions, palette } = content
  return (
    <div
      ref={canvas.root}
      className={styles.canvas}
      data-canvas
      data-theme={theme}
      data-side={props.side}
      data-detail={canvas.detail}
      data-pending={canvas.pending || undefined}
      role="application"
      aria-label={`Graph, ${graph.source.nodes.length} nodes${graph.blocks.size > 0 ? `, ${count(graph.blocks.size, 'folded block')}` : ''}. Arrow keys walk along edges, f fits the graph, plus and minus zoom.`}
      tabIndex={0}
      onKeyDown={navigation.onKeyDown}
      style={{ touchAction: props.picker?.on ? 'none' : undefined }}
      onPointerDownCapture={pointer.onPointerDownCapture}
      onMouseDownCapture={pointer.onMouseDownCapture}
      onPointerMove={pointer.onPointerMove}
      onPointerLeave={pointer.leave}
      onDoubleClick={pointer.onDoubleClick}
      onContextMenu={pointer.onContextMenu}
      onWheelCapture={pointer.leave}
    >
      <canvas ref={canvas.layer} className={styles.layer} aria-hidden="true" />
      <ReactFlow
        {...FLOW_PROPS}
        nodes={canvas.nodes}
        minZoom={canvas.minZoom}
        panOnDrag={!props.picker?.on}
        onNodeClick={pointer.onClick}
        onPaneClick={pointer.onClick}
        onMoveStart={(byHand) => byHand && canvas.letGo()}
        onMove={(byHand) => (byHand || canvas.isGoing()) && props.onMoved?.()}
      />
      {scene &&
        regions &&
        palette &&
        size &&
        scene.graph.nodes.length > 12 &&
        Math.min(size.width, size.height) > 340 && (
          <Minimap ref={canvas.minimap} scene={scene} regions={regions} palette={palette} onMove={navigation.center} />
        )}
      <Tools navigation={navigation} zoomText={canvas.zoomText} tool={props.tool} picker={props.picker} />
      <Rectangle box={pointer.rectangle} />
      <Messages empty={graph.nodes.length === 0} late={canvas.pending && !scene} error={canvas.error} />
      {pointer.tip && size && !props.selection.picked && (
        <Tooltip tip={pointer.tip} width={size.width} height={size.height} />
      )}
      <div className={css.hidden} aria-live="polite">
        {focusText(scene, props.selection.focus)}
      </div>
    </div>
  )
}

/** State and handlers of a canvas. */
function useCanvas(props: CanvasProps) {
  const { graph, groups, selection, theme, onSelectNode, onHoverNode, onSelectGroup } = props
  const { framing = null, start = null, firsts = 0 } = props
  const root = useRef<HTMLDivElement>(null)
  const layer = useRef<HTMLCanvasElement>(null)
  const minimap = useRef<MinimapHandle>(null)
  const zoomText = useRef<HTMLOutputElement>(null)
  const view = useRef<View>({ x: 0, y: 0, zoom: 1, width: 0, height: 0 })
  const { size, aspect, palette } = useStage(root, theme)
  const { scene, pending, error } = useScene(graph, aspect)
  const regions = useMemo(() => (scene ? buildRegions(scene, groups) : null), [scene, groups])
  const selected = useIndices(scene, selection.nodes)
  const hovered = useIndices(scene, props.hovered)
  const marks = useMarks(scene, props.marks)
  const foundIn = useFoundIn(scene, props.marks)
  const blamed = useEdges(scene, props.blamed)
  const content = { scene, regions, palette, selected, hovered, marks, foundIn, blamed }
  const schedule = usePainting(layer, view, size, content, (shown) => {
    minimap.current?.draw(shown)
    if (zoomText.current) zoomText.current.textContent = `${Math.round(shown.zoom * 100)} %`
  })
  const { visible, detail, look } = useInView(view, scene, size, schedule)
  const nodes = useFlowNodes(visible, content)
  const held = { framing: useHeld(framing, pending), firsts: useHeld(firsts, pending), start: useHeld(start, pending) }
  const moves = { ...held, regions, selection, look }
  const camera = useCamera(view, { scene, size, ...moves })
  const minZoom = useMemo(
    () => (scene && size ? Math.min(0.3, fitAll({ ...view.current, ...size }, scene).zoom * 0.6) : 0.02),
    [scene, size],
  )
  const choose = (name: string | null, additive: boolean): void => onSelectNode(name, { additive })
  const picture: GraphCanvasHandle['picture'] = async (part) => {
    if (!isWhole(content) || (part === 'selection' && selected.size === 0)) return null
    const { pictureOf } = await import('./picture/picture')
    return pictureOf(content, part === 'selection' ? selected : null)
  }
  const navigation = useNavigation(props, { root, view, scene, minZoom, camera, choose, picture })
  const pointer = usePointer({
    ...{ root, view, scene, regions, groups, choose, onHoverNode, moveTo: camera.go },
    picked: selection.picked ?? false,
    picking: props.picker?.on ?? false,
    notes: props.notes,
    onMenu: props.onNodeMenu,
    chooseGroup: onSelectGroup,
    onOpenBlock: props.onOpenBlock,
    onFold: props.onFold,
    onSelectNodes: props.onSelectNodes,
  })
  const refs = { root, layer, minimap, zoomText, view }
  return { ...refs, scene, content, size, nodes, detail, pending, error, minZoom, navigation, pointer, ...camera }
}

/** The value of the last render that was not pending: the camera moves to nodes once they are drawn. */
function useHeld<T>(value: T, pending: boolean): T {
  const [held, setHeld] = useState(value)
  if (!pending && held !== value) setHeld(value)
  return pending ? held : value
}

interface ToolsProps extends Pick<GraphCanvasProps, 'tool' | 'picker'> {
  navigation: Navigation
  zoomText: RefObject<HTMLOutputElement | null>
}

function Tools({ navigation, zoomText, tool, picker }: ToolsProps) {
  return (
    <div className={styles.tools}>
      <button type="button" onClick={navigation.zoomOut} aria-label="Zoom out" title="Zoom out (-)">
        −
      </button>
      <button type="button" onClick={navigation.zoomIn} aria-label="Zoom in" title="Zoom in (+)">
        +
      </button>
      <button type="button" onClick={navigation.fit} title="Show the whole graph (f)">
        Fit
      </button>
      {tool && (
        <button type="button" onClick={tool.run} title={tool.title}>
          {tool.label}
        </button>
      )}
      {picker && (
        <button
          type="button"
          aria-pressed={picker.on}
          onClick={picker.toggle}
          title="Pick nodes for a pattern: tap them or draw a rectangle, as with Shift held"
        >
          Pick
        </button>
      )}
      <output ref={zoomText} />
    </div>
  )
}

function Rectangle({ box }: { box: Box | null }) {
  return box && <div className={styles.lasso} style={{ left: box.x, top: box.y, width: box.w, height: box.h }} />
}

function Messages({ empty, late, error }: { empty: boolean; late: boolean; error: string | null }) {
  return (
    <>
      {empty && <div className={styles.message}>No nodes to draw: paste or drop a graph.</div>}
      {late && !error && <div className={cx(styles.message, styles.late)}>Drawing the graph…</div>}
      {error && <div className={styles.message}>The graph could not be laid out: {error}</div>}
    </>
  )
}

/** Text of the focused node for screen readers. */
function focusText(scene: Scene | null, focus: string | null): string {
  const node = focus === null ? undefined : scene?.indexOf.get(focus)
  return node === undefined ? '' : describe(scene!, node)
}

function describe(scene: Scene, node: number): string {
  const n = scene.graph.nodes[node]!
  return `${n.name}, ${n.inner ?? n.target}${n.shape ? `, ${n.dtype ?? ''} ${n.shape}` : ''}, ${count(n.inputs.length, 'input')}, ${count(n.users.length, 'user')}`
}
