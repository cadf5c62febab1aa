/** The graph before or after the passes, with highlights for selection and matches. */
import { useMemo } from 'react'
import { runById } from '../../commands/registry'
import type { GraphView } from '../../../engine/protocol'
import type { Framing, Mark } from '../../canvas'
import { useFolded } from '../../on_screen/fold/folded'
import { fold, foldAll, openAll, openBlock } from '../../on_screen/fold/folding'
import { foldTool } from '../../on_screen/fold/own_fold'
import { DifferenceSteps } from '../../on_screen/differences/DifferenceSteps'
import { groupsOf, marksOf, missesOn, NO_MISSES, parseGroupId, framingOf } from '../../on_screen/canvas_view'
import { NOTHING, type Highlight } from '../../report/highlight'
import { count } from '../../../base/english'
import { endPicking, pick, startPicking } from '../../on_screen/picked/picking'
import { useNewPattern } from '../../on_screen/picked/store'
import { NodeMenu, useNodeMenu, type NodeMenuState } from './NodeMenu'
import { violationNotes, NO_VIOLATIONS } from '../../report/violations'
import { isStepHighlight, stepMarks, stepFraming } from '../../on_screen/steps/step_highlight'
import { useExplained } from '../../on_screen/explained'
import { useHoverHighlight, useSelectionHighlight } from '../../on_screen/use_highlight'
import { isEmbed } from '../../session/framed'
import { graphOfSide, problemsOf, useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { SideCanvas } from '../../on_screen/SideCanvas'
import { LookBar } from '../../on_screen/look/LookBar'
import { useLook } from '../../on_screen/look/store'
import { useUncovering } from '../../on_screen/look/uncovering'
import { shownIn, useLookFraming, useNewest, useVisibility } from '../../on_screen/look/visible'
import { Legend } from './Legend'
import { EmptyState } from '../../ui/Messages'
import { Button, LinkButton } from '../../ui/Button'
import { css } from '../../ui/css'
import frameStyles from '../../on_screen/frame.module.css'
import { useSteps } from '../../on_screen/steps/store'

/** The nodes that a canvas brings into view, computed once per selection. */
function useFraming(side: 'before' | 'after', selected: Highlight): Framing | null {
  const seq = useView((s) => s.seq)
  return useMemo(() => {
    const { selection, from } = useView.getState()
    if (isStepHighlight(selected)) return stepFraming(selected, side, useSteps.getState().opened)
    return framingOf(selection, selected, side, from === side)
    // A new selection moves the canvas once; a new report of the same selection does not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [seq, side])
}

export function CanvasPane({ side }: { side: 'before' | 'after' }) {
  const graph = useRun((s) => graphOfSide(s, side))
  const visible = useVisibility(graph)
  const start = useView((s) => [s.camera, s.cameraBeside].find((c) => c?.side === side) ?? null)
  const firsts = useView((s) => s.firsts)
  const selected = useSelectionHighlight()
  const hovered = useHoverHighlight()
  const menu = useNodeMenu()
  const picks = usePicks(side, menu.open)
  const { misses, groups, notes, marks } = useOverlays(graph, side, selected)
  const selection = useDrawnSelection(side, selected)
  const { drawn, ...folded } = useFolded(side, side === 'before' ? selected.before : selected.after, visible)
  const framing = useNewest(useLookFraming(useUncovering(graph, useFraming(side, selected), visible)), folded.shown)
  const empty = !graph || graph.nodes.length === 0

  return (
    <section
      className={frameStyles.pane}
      data-region="canvas"
      aria-label={side === 'before' ? 'Graph before the passes' : 'Graph after the passes'}
      data-testid={`canvas-${side}`}
    >
      {graph && <LookBar drawn={shownIn(graph, visible)} of={graph.nodes.length} />}
      <SideTitle side={side} nodes={graph?.nodes.length ?? 0} />
      {empty || !drawn ? (
        <NoGraph side={side} />
      ) : (
        <SideCanvas
          {...{ side, groups, selection, framing, firsts, marks, notes, ...picks }}
          graph={drawn}
          start={folded.keepsCamera ? start : null}
          hovered={side === 'before' ? hovered.before : hovered.after}
          blamed={misses.edges}
          onSelectNode={(name, { additive }) => selectNode(name, side, additive)}
          onHoverNode={(name) => useView.getState().setHover(name === null ? null : { kind: 'node', side, name })}
          onSelectGroup={(id) => selectGroup(id, side)}
          onOpenBlock={(block, which) => openBlock(side, block, which)}
          onFold={fold}
          tool={foldTool(drawn, openAll, foldAll)}
        />
      )}
      <Legend side={side} graph={drawn} groups={groups} marks={marks} />
      {menu.at && <NodeMenu at={menu.at} close={menu.close} />}
    </section>
  )
}

/** The nodes to draw as selected: those picked for a pattern, or the selection's. */
function useDrawnSelection(side: 'before' | 'after', selected: Highlight) {
  const picked = useNewPattern((s) => s.picked)
  const nodes = side === 'before' ? selected.before : selected.after
  const focus = side === 'before' ? selected.focusBefore : selected.focusAfter
  return useMemo(
    () =>
      side === 'before' && picked.length > 0
        ? { nodes: new Set(picked), focus: picked.at(-1)!, picked: true }
        : { nodes, focus },
    [side, picked, nodes, focus],
  )
}

function selectGroup(id: string, side: 'before' | 'after'): void {
  const group = parseGroupId(id)
  if (!group) return
  useView.getState().select(group, side)
  if (group.kind === 'nearMiss') useView.getState().setPanel('whynot')
}

/** What picks nodes for a pattern, and opens the menu of one. */
function usePicks(side: 'before' | 'after', onNodeMenu: NodeMenuState['open']) {
  const on = useNewPattern((s) => s.picking)
  if (side === 'after' || isEmbed()) return null
  return { onNodeMenu, onSelectNodes: pick, picker: { on, toggle: on ? endPicking : startPicking } }
}

/** @param additive picks the node for a pattern, as each key and press does while nodes are picked by them */
function selectNode(name: string | null, side: 'before' | 'after', additive: boolean): void {
  const picks = additive || useNewPattern.getState().picking
  if (picks && name !== null && side === 'before') return pick([name])
  endPicking()
  const { selection, select } = useView.getState()
  if (selection?.kind === 'node') useLook.setState({ previous: selection.name })
  select(name === null ? null : { kind: 'node', side, name }, side)
}

function SideTitle({ side, nodes }: { side: 'before' | 'after'; nodes: number }) {
  const mode = useView((s) => s.mode)
  if (mode !== 'split') return null
  return (
    <h2 className={frameStyles.titleWithTools}>
      <span className={css.ellipsis}>
        {side === 'before' ? 'Before' : 'After'} · {count(nodes, 'node')}
      </span>
      {side === 'after' && <DifferenceSteps />}
    </h2>
  )
}

/** Groups, marks and notes over a graph: matches, near misses, violations and the current step. */
function useOverlays(graph: GraphView | null, side: 'before' | 'after', selected: Highlight) {
  const report = useRun((s) => s.result.value)
  const mode = useView((s) => s.mode)
  const explained = useExplained().report

  // Only selecting a near miss changes the groups and marks; other selections must not rebuild them.
  const miss: Highlight = selected.nearMiss ? selected : NOTHING
  const misses = useMemo(
    () => (graph ? missesOn(explained, report, graph, side, miss) : NO_MISSES),
    [explained, report, graph, side, miss],
  )
  const groups = useMemo(
    () => (graph ? [...groupsOf(report, graph, side), ...misses.groups] : []),
    [report, graph, side, misses],
  )
  const violations = useMemo(() => (graph ? violationNotes(report, graph, side) : NO_VIOLATIONS), [report, graph, side])
  const notes = useMemo(() => new Map([...misses.culprits, ...violations]), [misses, violations])
  const passMarks = useMemo(
    () =>
      graph ? marksOf(report, { graph, side, mode, culprits: misses.culprits, violations }) : new Map<string, Mark>(),
    [report, graph, side, mode, misses, violations],
  )
  const marks = useMemo(
    () => (side === 'before' && isStepHighlight(selected) ? stepMarks(selected, passMarks) : passMarks),
    [side, selected, passMarks],
  )
  return { misses, groups, notes, marks }
}

function NoGraph({ side }: { side: 'before' | 'after' }) {
  const problem = useRun((s) => problemsOf(s)[0])
  const running = useRun((s) => s.running !== null)
  if (side === 'after')
    return <EmptyState align="center">The graph after the passes appears here once they have run.</EmptyState>
  if (running && !problem) return <EmptyState align="center">Reading the graph…</EmptyState>
  return (
    <EmptyState align="center" tabIndex={0}>
      <p>{problem ? `The graph could not be read: ${problem.message}` : 'No graph yet.'}</p>
      <Button variant="primary" onClick={() => runById('paste-graph')}>
        Paste graph
      </Button>
      <p>
        Drop the text of <code>print(graph)</code> or an <code>fx_graph_readable.py</code> here, or open{' '}
        <LinkButton onClick={() => runById('gallery')}>an example</LinkButton>.
      </p>
    </EmptyState>
  )
}
