/** Picks nodes for a pattern. Picked nodes are drawn as selected. */
import type { GraphView } from '../../../engine/protocol'
import { useRun } from '../../session/run_store'
import { toast, useView } from '../../session/view_store'
import { highlightOf } from '../../report/highlight'
import { useWorkspace } from '../../session/workspace_store'
import { useNewPattern } from './store'

/** A pattern matches calls: the inputs and the output of a graph cannot be picked. */
const isCall = (graph: GraphView | null, name: string): boolean => {
  const op = graph?.nodes.find((n) => n.name === name)?.op
  return op !== undefined && op !== 'placeholder' && op !== 'output' && op !== 'get_attr'
}

const shownGraph = (): GraphView | null =>
  useRun.getState().graphRead.value ?? useRun.getState().result.value?.graph ?? null

/** Adds nodes; a single node that is already picked is removed. The first pick also includes the selected nodes. */
export function pick(names: readonly string[]): void {
  const graph = shownGraph()
  const { picking, picked } = useNewPattern.getState()
  const calls = names.filter((n) => isCall(graph, n))
  if (calls.length === 0) {
    if (names.length === 1) toast(`${names[0]!} is not a call: it becomes an input of the pattern.`)
    return
  }
  const before = picking || picked.length > 0 ? picked : selectedNodes()
  const [only] = calls
  const removes = calls.length === 1 && before.includes(only!)
  setPicked(removes ? before.filter((n) => n !== only) : [...new Set([...before, ...calls])])
}

export function setPicked(picked: readonly string[]): void {
  useNewPattern.setState({ picked, answer: null, name: null, form: null, parameters: [] })
}

/** Makes each press pick, beginning with the selected nodes. */
export function startPicking(): void {
  const { picked } = useNewPattern.getState()
  if (picked.length === 0) setPicked(selectedNodes())
  useNewPattern.setState({ picking: true })
  useView.getState().setPane('graph')
}

/** Drops the picked nodes. */
export function endPicking(): void {
  const { picking, picked } = useNewPattern.getState()
  if (picking || picked.length > 0) useNewPattern.setState(useNewPattern.getInitialState())
}

/** The calls of the selection: a node, or the nodes of a match. */
export function selectedNodes(): string[] {
  const { selection } = useView.getState()
  if (selection?.kind !== 'node' && selection?.kind !== 'match') return []
  if (selection.kind === 'node' && selection.side !== 'before') return []
  const {
    result: { value: report },
    graphRead: { value: graph },
  } = useRun.getState()
  const { before } = highlightOf(selection, report, graph, useWorkspace.getState().workspace)
  const shown = shownGraph()
  return [...before].filter((n) => isCall(shown, n))
}
