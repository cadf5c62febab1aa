/**
 * Runs the patterns of each example and the user's own folders on the shown graph, in a worker of its own: the open
 * workspace's run is not touched.
 */
import { messageOf } from '../../../base/error_message'
import type { EngineClient } from '../../../engine/worker/client'
import type { Report } from '../../../engine/protocol'
import type { Workspace } from '../../../workspace/types'
import { currentSession } from '../../session/session'
import { useWorkspace } from '../../session/workspace_store'
import { siteJson } from '../../site_files'
import { loadExampleList, useExamples } from '../../examples/examples'
import type { ExampleInfo } from '../../examples/catalog'
import { runnableFolders } from '../my_patterns/storage'
import { bytesSaved } from './bytes_saved'
import { ranked, useFusions, type Offer } from './store'

export async function findFusions(): Promise<void> {
  const signal = currentSession().only('fusions')
  const { graph, shapes, inputShapes } = useWorkspace.getState().workspace
  const known = useExamples.getState().list
  const list = known.length > 0 ? known : await loadExampleList()
  const own = await ownFolders()
  if (signal.aborted) return
  const problem = list.length === 0 ? useExamples.getState().problem : null
  const sources = [...own, ...list.map(exampleSource)]
  useFusions.setState({ offers: [], done: 0, total: sources.length, problem })
  if (sources.length === 0) return
  const { createEngineClient } = await import('../../../engine/worker/browser')
  const client = createEngineClient()
  signal.addEventListener('abort', () => client.dispose(), { once: true })
  try {
    for (const source of sources) {
      const {
        graphs: _graphs,
        graphAt: _graphAt,
        capture: _capture,
        ...rest
      } = (await source.load()) as Workspace & { capture?: unknown }
      const workspace: Workspace = { ...rest, graph, ...(shapes && { shapes }), ...(inputShapes && { inputShapes }) }
      const report = await reportOf(client, workspace)
      if (signal.aborted) return
      const offer = report && offerOf(source, workspace, report)
      useFusions.setState((s) => ({ done: s.done + 1, offers: offer ? ranked([...s.offers, offer]) : s.offers }))
    }
  } catch (e) {
    if (!signal.aborted) useFusions.setState((s) => ({ done: s.total, problem: messageOf(e) }))
  } finally {
    client.dispose()
  }
}

/** Code to run on the graph. */
interface FusionSource extends Pick<Offer, 'id' | 'title' | 'system'> {
  load(): Promise<Workspace>
}

const exampleSource = ({ id, title, system, workspace }: ExampleInfo): FusionSource => ({
  id,
  title,
  system,
  load: () => siteJson<Workspace>(`examples/${workspace}`),
})

/** The user's folders, except those whose code waits for consent. */
async function ownFolders(): Promise<FusionSource[]> {
  return (await runnableFolders()).map(({ id, workspace }) => ({
    id,
    title: workspace.name,
    system: 'My patterns',
    load: () => Promise.resolve(workspace),
  }))
}

/** Null if the code fails on this graph. */
const reportOf = (client: EngineClient, workspace: Workspace): Promise<Report | null> =>
  new Promise((resolve) =>
    client.analyze(workspace, (e) => {
      if (e.kind === 'report') resolve(e.report)
      else if (e.kind === 'failed') resolve(null)
    }),
  )

function offerOf({ id, title, system }: FusionSource, { files }: Workspace, report: Report): Offer | null {
  const places = report.passes.reduce((n, p) => n + p.count, 0)
  return places === 0
    ? null
    : { id, title, system, places, bytes: bytesSaved(report.graph, report.after, report.passes), files }
}
