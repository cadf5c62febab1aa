/** Draws a part of the graph: around the selection, between two nodes, the uses of a value, the results of a query. */
import { count } from '../../../base/english'
import type { GraphView } from '../../../engine/protocol'
import { pathBetween, usesOf } from '../../fold/filters'
import { SHOWN } from '../../fold/types'
import { visibilityOf } from '../../fold/visibility'
import { positions } from '../../../engine/queries/report_index'
import { graphOfSide, useRun } from '../../session/run_store'
import { toast, useView, toastUndo } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { copyAndSay } from '../../ui/clipboard'
import { useNewPattern } from '../picked/store'
import { highlightOf } from '../../report/highlight'
import { changeLook, filtersOf, lookNow, useLook, WHOLE } from './store'

/** Initial number of steps in each direction. */
const STEPS = 1

/** Names of the picked nodes, else of the selected ones on both sides. */
export function selectedNames(): string[] {
  const { picked } = useNewPattern.getState()
  if (picked.length > 0) return [...picked]
  const { selection } = useView.getState()
  const {
    result: { value: report },
    explained,
    graphRead: { value: graph },
  } = useRun.getState()
  if (!selection) return []
  if (selection.kind === 'step') return [selection.node]
  const of = selection.kind === 'nearMiss' ? (explained.value ?? report) : report
  const h = highlightOf(selection, of, graph, useWorkspace.getState().workspace)
  return [...new Set([...h.before, ...h.after])]
}

/** Draws only these nodes, and `steps` of their inputs and users. */
export function isolate(nodes: readonly string[], steps = STEPS): void {
  if (nodes.length > 0) changeLook({ only: { nodes: [...nodes], up: steps, down: steps } }, nodes)
}

/** Adds or removes one step of inputs or users. */
export function widen(direction: 'up' | 'down', by: 1 | -1): void {
  const { only } = lookNow()
  if (only) changeLook({ only: { ...only, [direction]: Math.max(0, only[direction] + by) } })
}

export function hide(nodes: readonly string[]): void {
  if (nodes.length > 0) changeLook({ hidden: [...new Set([...(lookNow().hidden ?? []), ...nodes])] })
}

export const toggleViews = (): void => changeLook({ noViews: lookNow().noViews ? undefined : true })

export const showWhole = (): void => useLook.setState({ look: WHOLE, graph: null, shown: null })

/** Draws the whole graph if the drawn part lacks a node that the user goes to. */
export function uncover(graph: GraphView, name: string): void {
  const visible = visibilityOf(graph, filtersOf(lookNow()))
  if (!visible || visible[positions(graph).get(name) ?? -1] === SHOWN) return
  const { look, graph: of, shown } = useLook.getState()
  showWhole()
  toastUndo(`${name} is not in the part that was drawn: the whole graph is drawn.`, () =>
    useLook.setState({ look, graph: of, shown }),
  )
}

/** Draws the paths between two nodes. */
export function showPath(a: string, b: string): void {
  const side = useView.getState().mode === 'after' ? 'after' : 'before'
  const graph = graphOfSide(useRun.getState(), side)
  const names = graph && pathBetween(graph, a, b)
  if (!names) return toast(`No path leads from ${a} to ${b}, nor back.`)
  isolate(names, 0)
  toast(`${count(names.length, 'node')} on the paths between ${a} and ${b}.`)
}

/** Draws a node with all nodes that use its value. */
export function showUses(name: string): void {
  const side = useView.getState().mode === 'after' ? 'after' : 'before'
  const graph = graphOfSide(useRun.getState(), side)
  if (graph) isolate(usesOf(graph, name), 0)
}

/** Opens the graph's text at the line of a node. */
export function openText(name: string): void {
  const { workspace, open } = useWorkspace.getState()
  open(workspace.graph.name)
  useView.getState().select({ kind: 'node', side: 'before', name })
}

export const copyName = (name: string): Promise<void> => copyAndSay(name, `${name} is copied.`)
