/** Asks the engine for a comparison of the shown graph with another one of the workspace. */
import { messageOf } from '../../../base/error_message'
import { graphsOf } from '../../../workspace/graphs'
import { requireCode } from '../../session/consent'
import { engine, settled } from '../../session/runner'
import { done, isStale, NONE } from '../../session/section'
import { currentSession, type OpenPart } from '../../session/session'
import { toast } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { useCompare } from './store'

/** Names of the graphs that are not shown. */
export function otherGraphs(): string[] {
  const { workspace } = useWorkspace.getState()
  return graphsOf(workspace).flatMap((g) => (g.name === workspace.graph.name ? [] : [g.name]))
}

/** Compares with another graph, which is the old one if it comes first in the workspace. */
export async function compareWith(name: string): Promise<void> {
  const signal = currentSession().only('compare')
  try {
    await settled()
    requireCode('Graphs are compared')
    const { workspace, version } = useWorkspace.getState()
    const names = graphsOf(workspace).map((g) => g.name)
    const role = names.indexOf(name) < names.indexOf(workspace.graph.name) ? 'old' : 'new'
    const report = await (await engine()).compare(name, role, signal)
    if (signal.aborted) return
    useCompare.setState({
      compared: done(report, version),
      other: name,
      picked: report.lost.length > 0 ? FIRST_LOST : null,
    })
  } catch (e) {
    if (!signal.aborted) toast(messageOf(e), { tone: 'bad' })
  }
}

const FIRST_LOST = { list: 'lost', index: 0, place: 0 } as const

export function closeComparison(): void {
  currentSession().cancel('compare')
  useCompare.setState({ compared: NONE, other: null, picked: null })
}

/** Compares again once an edit has a report. */
export const comparePart: OpenPart = () => ({
  onReport() {
    const { other, compared } = useCompare.getState()
    if (other === null || !isStale(compared, useWorkspace.getState().version)) return
    if (otherGraphs().includes(other)) void compareWith(other)
    else closeComparison()
  },
})
