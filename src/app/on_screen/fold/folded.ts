/** The folded graph of each side. */
import { useEffect, useMemo } from 'react'
import { memoizeByObject, memoizeLast } from '../../../base/memoize'
import type { GraphView, Report } from '../../../engine/protocol'
import type { GroupBy } from '../../../workspace/types'
import type { Framing } from '../../canvas'
import { derivedGrouping, type Replaced } from '../../fold/derived'
import { beginDrawing, drawnGraph, unfolded } from '../../fold/drawn'
import { groupedBy, openOnRequest } from '../../fold/group_by'
import { allOpen, firstOpen, foldsAtFirst, revealing } from '../../fold/open'
import { SHOWN, type DrawnGraph, type Grouping, type OpenInstances, type Visibility } from '../../fold/types'
import { positions } from '../../../engine/queries/report_index'
import { graphOfSide, useRun } from '../../session/run_store'
import { useView, type ViewStore } from '../../session/view_store'
import { perSession } from '../../session/session'
import { useWorkspace } from '../../session/workspace_store'
import { NOTHING_OPEN, useFold, type FoldState } from './store'

export type Side = 'before' | 'after'

export const replacedBy = memoizeByObject((report: Report): Replaced[] => report.passes.flatMap((p) => p.matches))

const derived = memoizeLast((grouping: Grouping, before: GraphView, after: GraphView, report: Report) =>
  derivedGrouping(grouping, before, after, replacedBy(report)),
)

/** The grouping criterion of the graph on screen. */
export const groupByNow = (): GroupBy => foldNow().by

/** The fold state of the graph on screen. */
export const foldNow = (): FoldState =>
  foldOf(useFold.getState(), useWorkspace.getState().workspace.graph.name, useView.getState())

/** The grouping of a side; null if nothing can fold. */
export function groupingOfSide(side: Side): Grouping | null {
  const run = useRun.getState()
  const before = graphOfSide(run, 'before')
  const grouping = before && groupedBy(groupByNow(), before, run.result.value)
  if (!grouping || side === 'before') return grouping
  const report = run.result.value
  return report?.after ? derived(grouping, report.graph, report.after, report) : null
}

/** Stands for the keys of all instances. */
export const ALL = '*'

/** All keys, by grouping; always the same object, so that drawings can be memoized. */
const everything = memoizeByObject(allOpen)

const NO_MATCHES: ReadonlySet<number> = new Set()
const beforeReport = memoizeByObject((grouping: Grouping) => firstOpen(grouping, NO_MATCHES))
const atFirst = perSession(() => new WeakMap<Grouping, OpenInstances>())

/** The graph's first report decides: later reports do not change the drawing while the user edits a pattern. */
function openAtFirst(graph: GraphView, grouping: Grouping, report: Report | null): OpenInstances {
  const decided = atFirst().get(grouping)
  if (decided) return decided
  if (report?.graph.nodes.length !== graph.nodes.length) return beforeReport(grouping)
  const at = positions(graph)
  const matched = new Set(
    report.passes.flatMap((p) => p.matches.flatMap((m) => m.nodes.flatMap((n) => at.get(n) ?? []))),
  )
  const open = firstOpen(grouping, matched)
  atFirst().set(grouping, open)
  return open
}

const union = memoizeLast((a: OpenInstances, b: OpenInstances): OpenInstances => new Set([...a, ...b]))

/** The fold state of a graph; initially that of the open link. */
export function foldOf(state: FoldState, graph: string, { unfolded, groupBy }: LinkedFold): FoldState {
  if (state.graph === graph) return state
  return { ...useFold.getInitialState(), by: groupBy ?? 'layer', chosen: linked(unfolded) }
}

type LinkedFold = Pick<ViewStore, 'unfolded' | 'groupBy'>

const linked = memoizeLast((keys: readonly string[] | null): OpenInstances | null => keys && new Set(keys))

/** The open instances. @param before the graph before the passes, which decides for both sides */
export function openOf(
  before: GraphView,
  grouping: Grouping,
  { by, chosen, revealed }: Pick<FoldState, 'by' | 'chosen' | 'revealed'>,
  report: Report | null = useRun.getState().result.value,
): OpenInstances {
  if (chosen?.has(ALL)) return everything(grouping)
  const asked = chosen ?? (by === 'layer' ? null : openOnRequest(grouping))
  if (asked) return revealed.size > 0 ? union(asked, revealed) : asked
  if (!foldsAtFirst(before, grouping)) return everything(grouping)
  return revealed.size > 0 ? revealed : openAtFirst(before, grouping, report)
}

/** The grouping and the open instances of the graph before the passes; null if nothing can fold. */
export function useOpen(): Folding | null {
  const before = useRun((s) => graphOfSide(s, 'before'))
  // The report determines the matches, and can decide what is open initially.
  const report = useRun((s) => s.result.value)
  const fold = useFoldState()
  const grouping = before && groupedBy(fold.by, before, report)
  return grouping ? { grouping, open: openOf(before, grouping, fold) } : null
}

/** The fold state of the graph on screen. */
export function useFoldState(): FoldState {
  const name = useWorkspace((s) => s.workspace.graph.name)
  const unfolded = useView((s) => s.unfolded)
  const groupBy = useView((s) => s.groupBy)
  return foldOf(useFold(), name, { unfolded, groupBy })
}

export interface Folded {
  drawn: DrawnGraph | null
  /** The nodes that opening an instance brings into view. */
  shown: Framing | null
  /** False for a link without open instances: its camera was set for the whole graph, which is folded now. */
  keepsCamera: boolean
}

/** @param selected names of the selected nodes of this side @param visible null: the whole graph is drawn */
export function useFolded(side: Side, selected: ReadonlySet<string>, visible: Visibility | null): Folded {
  const graph = useRun((s) => graphOfSide(s, side))
  const before = useRun((s) => graphOfSide(s, 'before'))
  const report = useRun((s) => s.result.value)
  const name = useWorkspace((s) => s.workspace.graph.name)
  const seq = useView((s) => s.seq)
  const unfoldedInLink = useView((s) => s.unfolded)
  const fold = useFoldState()
  // `report` determines matches and the grouping of the other side.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const grouping = useMemo(() => groupingOfSide(side), [side, graph, before, report, fold.by])
  const fresh = useMemo(
    () => (graph && grouping && fold.revealedAt !== seq ? reveal(graph, grouping, selected) : null),
    [graph, grouping, fold.revealedAt, seq, selected],
  )
  useEffect(() => {
    if (!fresh) return
    useFold.setState((s) => ({
      ...foldOf(s, name, useView.getState()),
      graph: name,
      revealed: fresh,
      revealedAt: seq,
      shown: null,
    }))
  }, [fresh, name, seq])
  const revealed = fresh ?? fold.revealed
  const open =
    before && grouping ? openOf(before, grouping, { by: fold.by, chosen: fold.chosen, revealed }) : NOTHING_OPEN
  const drawn = useMemo(
    () =>
      graph &&
      drawnOf(
        graph,
        visible,
        before && grouping && !isPlain(before, { by: fold.by, grouping, open }) ? { grouping, open } : null,
      ),
    [graph, grouping, before, fold.by, open, visible],
  )
  const keepsCamera = unfoldedInLink !== null || !before || !grouping || !foldsAtFirst(before, grouping)
  return { drawn, shown: fold.shown, keepsCamera }
}

/**
 * Prepares the drawing of a graph in several tasks, so that showing it takes less time.
 * @param report null if the graph is shown before it
 */
export function drawingSteps(graph: GraphView, report: Report | null): (() => void)[] {
  const step = (draw: (folding: Folding) => void) => (): void => {
    const fold = foldNow()
    const grouping = groupedBy(fold.by, graph, report)
    const open = grouping && openOf(graph, grouping, fold, report)
    if (open && !isPlain(graph, { by: fold.by, grouping, open })) draw({ grouping, open })
  }
  return [
    step(({ grouping, open }) => beginDrawing(graph, grouping, open)),
    step((folding) => void drawnOf(graph, null, folding)),
  ]
}

/** A part of the graph of at most this many nodes is drawn without blocks. */
const SMALL_PART = 400

/** @param folding null: nothing is folded @param visible null: the whole graph is drawn */
export function drawnOf(graph: GraphView, visible: Visibility | null, folding: Folding | null): DrawnGraph {
  const small = visible !== null && visible.reduce((n, v) => n + (v === SHOWN ? 1 : 0), 0) <= SMALL_PART
  if (!folding || small) return visible ? drawnGraph(graph, null, NOTHING_OPEN, visible) : unfolded(graph)
  return drawnFolded(graph, folding.grouping, folding.open, visible)
}

const drawnFolded = memoizeLast(drawnGraph)

/** A graph that is unfolded initially has no frames while all layers are open. */
export const isPlain = (before: GraphView, { by, grouping, open }: Folding & { by: GroupBy }): boolean =>
  by === 'layer' && !foldsAtFirst(before, grouping) && open === everything(grouping)

export interface Folding {
  grouping: Grouping
  open: OpenInstances
}

/** The instances to open for a selection; null if the selection changes nothing. */
function reveal(graph: GraphView, grouping: Grouping, names: ReadonlySet<string>): OpenInstances | null {
  if (names.size === 0) return null
  const at = positions(graph)
  const keys = revealing(
    grouping,
    [...names].flatMap((n) => at.get(n) ?? []),
  )
  return keys.length === 0 ? null : new Set(keys)
}
