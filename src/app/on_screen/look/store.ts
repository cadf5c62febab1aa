/** The drawn part of the graph. Not part of undo; a link carries it. */
import { memoizeLast } from '../../../base/memoize'
import type { LookState } from '../../../workspace/types'
import { only, withoutNodes, withoutViews } from '../../fold/filters'
import type { Filter } from '../../fold/visibility'
import { createSessionStore } from '../../session/session_store'
import { useWorkspace } from '../../session/workspace_store'

export const WHOLE: LookState = {}

export const useLook = createSessionStore(() => ({
  /** Name of the graph that `look` belongs to; another graph is drawn whole. */
  graph: null as string | null,
  look: WHOLE as LookState,
  /** Nodes to bring into view; a new object for each change. */
  shown: null as { names: readonly string[]; own: false } | null,
  /** The node that was selected before the current one; a path may lead from it to the current one. */
  previous: null as string | null,
  legend: false,
}))
export type LookStore = ReturnType<typeof useLook.getState>

const lookOf = ({ graph, look }: LookStore, name: string): LookState => (graph === name ? look : WHOLE)

/** The look of the graph on screen. */
export const useLookNow = (): LookState =>
  lookOf(
    useLook(),
    useWorkspace((s) => s.workspace.graph.name),
  )

export const lookNow = (): LookState => lookOf(useLook.getState(), useWorkspace.getState().workspace.graph.name)

/** @param change fields of the look; undefined removes one @param names nodes to bring into view */
export function changeLook(change: Partial<LookState>, names: readonly string[] | null = null): void {
  const entries = Object.entries({ ...lookNow(), ...change }).filter(([, value]) => value !== undefined)
  useLook.setState({
    graph: useWorkspace.getState().workspace.graph.name,
    look: Object.fromEntries(entries) as LookState,
    ...(names && { shown: { names, own: false } }),
  })
}

export const isWhole = (look: LookState): boolean => Object.keys(look).length === 0

/** The filters of a look; the same list for the same look. */
export const filtersOf = memoizeLast(({ only: part, hidden, noViews }: LookState): readonly Filter[] => [
  ...(part ? [only(new Set(part.nodes), part.up, part.down)] : []),
  ...(hidden ? [withoutNodes(new Set(hidden))] : []),
  ...(noViews ? [withoutViews] : []),
])

/** Maximum number of node names in a link. */
const NAMES_IN_A_LINK = 3000

/** The look for a link; null while the whole graph is drawn, and for a part with too many nodes. */
export function sharedLook(): LookState | null {
  const look = lookNow()
  const names = (look.only?.nodes.length ?? 0) + (look.hidden?.length ?? 0)
  return isWhole(look) || names > NAMES_IN_A_LINK ? null : look
}
