/** Folding on canvases that do not show the graph before the passes. */
import { useMemo, useState } from 'react'
import type { GraphView } from '../../../engine/protocol'
import type { Framing, GraphCanvasProps } from '../../canvas'
import { derivedGrouping } from '../../fold/derived'
import { drawnGraph, unfolded } from '../../fold/drawn'
import { groupedBy } from '../../fold/group_by'
import { structureOf } from '../../fold/grouping'
import { allOpen, foldsAtFirst, openWith, revealing, without } from '../../fold/open'
import type { Block, DrawnGraph, Grouping, OpenInstances, Visibility } from '../../fold/types'
import { positions } from '../../../engine/queries/report_index'
import { useRun } from '../../session/run_store'
import { drawnOf, isPlain, openOf, replacedBy, useFoldState } from './folded'
import { fold, foldAll, openAll, openBlock } from './folding'
import { NOTHING_OPEN } from './store'

/** Data that a canvas needs to fold its graph. */
export interface FoldedCanvas {
  graph: DrawnGraph
  /** The nodes that opening an instance brings into view. */
  shown: Framing | null
  onOpenBlock(block: Block, which: 'first' | 'all'): void
  onFold(instance: number): void
  tool: GraphCanvasProps['tool']
}

/** The button that opens everything folded, or folds everything. */
export function foldTool(
  { grouping, blocks }: DrawnGraph,
  open: () => void,
  close: () => void,
): GraphCanvasProps['tool'] {
  if (!grouping) return null
  return blocks.size > 0
    ? { label: 'Open all', title: 'Draw every node of the graph', run: open }
    : { label: 'Fold', title: 'Fold what repeats into blocks', run: close }
}

interface OwnState {
  graph: GraphView
  open: OpenInstances
  shown: Framing | null
}

/** Folds a large graph by its own layers; the state lasts as long as the canvas. @param lit names of nodes that must be drawn */
export function useOwnFold(graph: GraphView, lit: ReadonlySet<string>): FoldedCanvas {
  const [state, setState] = useState<OwnState | null>(null)
  const grouping = useMemo(() => largeGrouping(graph), [graph])
  const open = state?.graph === graph ? state.open : NOTHING_OPEN
  const revealed = useMemo(() => revealedIn(graph, grouping, lit), [graph, grouping, lit])
  const drawn = useMemo(
    () => (grouping ? drawnGraph(graph, grouping, new Set([...open, ...revealed])) : unfolded(graph)),
    [graph, grouping, open, revealed],
  )
  const choose = (next: OpenInstances, shown: Framing | null = null): void => setState({ graph, open: next, shown })
  return {
    graph: drawn,
    shown: state?.graph === graph ? state.shown : null,
    onOpenBlock({ first, last }, which) {
      const instances = Array.from({ length: which === 'first' ? 1 : last - first + 1 }, (_, i) => first + i)
      const names = grouping!.instances[first]!.nodes.map((n) => graph.nodes[n]!.name)
      choose(openWith(grouping!, open, instances), which === 'first' ? { names, own: false } : null)
    },
    onFold: (instance) => choose(without(grouping!, open, instance)),
    tool: foldTool(
      drawn,
      () => choose(allOpen(grouping!)),
      () => choose(NOTHING_OPEN),
    ),
  }
}

function largeGrouping(graph: GraphView): Grouping | null {
  const grouping = structureOf(graph)
  return grouping && foldsAtFirst(graph, grouping) ? grouping : null
}

function revealedIn(graph: GraphView, grouping: Grouping | null, lit: ReadonlySet<string>): readonly string[] {
  const at = positions(graph)
  return grouping && lit.size > 0
    ? revealing(
        grouping,
        [...lit].flatMap((n) => at.get(n) ?? []),
      )
    : []
}

/** Folds a graph between two passes like the graph before them. @param lit names of nodes that must be drawn */
export function useStageFold(graph: GraphView, lit: ReadonlySet<string>, visible: Visibility | null): FoldedCanvas {
  const report = useRun((s) => s.result.value)
  const state = useFoldState()
  const { by } = state
  const source = report && groupedBy(by, report.graph, report)
  const grouping = useMemo(
    () => report && source && derivedGrouping(source, report.graph, graph, replacedBy(report)),
    [report, source, graph],
  )
  const open = report && source ? openOf(report.graph, source, state) : NOTHING_OPEN
  const revealed = useMemo(() => revealedIn(graph, grouping, lit), [graph, grouping, lit])
  const drawn = useMemo(
    () =>
      drawnOf(
        graph,
        visible,
        !report || !source || !grouping || isPlain(report.graph, { by, grouping: source, open })
          ? null
          : { grouping, open: new Set([...open, ...revealed]) },
      ),
    [report, source, grouping, graph, by, open, revealed, visible],
  )
  const openHere = (block: Block, which: 'first' | 'all'): void => openBlock('before', block, which)
  return {
    graph: drawn,
    shown: state.shown,
    onOpenBlock: openHere,
    onFold: fold,
    tool: foldTool(drawn, openAll, foldAll),
  }
}
