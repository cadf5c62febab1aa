/** Runs the user's pattern folders on the graphs of the table, one after the other, in a worker of its own. */
import { messageOf } from '../../../base/error_message'
import { sha256 } from '../../../base/sha256'
import { tableChanges, tableRows } from '../../../engine/table/table'
import type { FolderCounts, FolderResult, TableChange } from '../../../engine/protocol'
import type { EngineClient } from '../../../engine/worker/client'
import { needsConsent } from '../../../workspace/code_origin'
import { graphsOf, withGraphs } from '../../../workspace/graphs'
import type { GraphFile, Workspace } from '../../../workspace/types'
import { useWorkspace } from '../../session/workspace_store'
import { siteJson } from '../../site_files'
import { loadExampleList, useExamples } from '../../examples/examples'
import { keptFolders, patternLibrary, tableRuns, useFolders } from './storage'
import { keyOfGraph, tableGraphs, useTable, type TableFolder, type TableGraph } from './table_store'

/** Time for Python to start, in ms. */
const START_MS = 90_000
/** Pause between two updates of the table on screen, in ms. */
const SHOW_MS = 250

/** Ends the run; the counts so far stay. */
export function cancelTable(): void {
  useTable.getState().running?.abort()
  useTable.setState({ running: null, progress: null })
}

export async function runTable(): Promise<void> {
  cancelTable()
  const running = new AbortController()
  const { signal } = running
  useTable.setState({ running, progress: { done: 0, total: 0 }, problem: null, changes: null })
  try {
    const [graphs, folders] = [await graphsToRun(), await foldersToRun()]
    if (signal.aborted) return
    const total = graphs.length * folders.length
    useTable.setState({
      graphs,
      folders,
      results: folders.map((f) => ({ folder: f.id, counts: graphs.map(() => null) })),
    })
    useTable.setState({ progress: { done: 0, total } })
    const results = await countAll(folders, graphs, signal)
    const changes = await compared(folders, graphs, results)
    if (!signal.aborted) useTable.setState(changes)
  } catch (e) {
    if (!signal.aborted) useTable.setState({ problem: messageOf(e) })
  } finally {
    if (useTable.getState().running === running) useTable.setState({ running: null, progress: null })
  }
}

async function graphsToRun(): Promise<TableGraph[]> {
  const { sources, added } = useTable.getState()
  const files: GraphFile[] = []
  if (sources.workspace) files.push(...graphsOf(useWorkspace.getState().workspace))
  if (sources.added) files.push(...added)
  if (sources.gallery) files.push(...(await galleryGraphs()))
  // Each hash in a task of its own: a graph has megabytes.
  for (const file of files) {
    keyOfGraph(file)
    await new Promise((resolve) => setTimeout(resolve))
  }
  return tableGraphs(files)
}

/** @throws Error where the examples cannot be loaded */
async function galleryGraphs(): Promise<GraphFile[]> {
  const known = useExamples.getState().list
  const list = known.length > 0 ? known : await loadExampleList()
  const { problem } = useExamples.getState()
  if (list.length === 0 && problem !== null) throw new Error(problem)
  const graphs: GraphFile[] = []
  for (const { title, workspace } of list) {
    const found = graphsOf(await siteJson<Workspace>(`examples/${workspace}`))
    graphs.push(...found.map((g) => ({ ...g, name: found.length === 1 ? title : `${shortName(g.name)}, ${title}` })))
  }
  return graphs
}

/** The part `128_f32` of `graphs/128_f32.txt`. */
const shortName = (path: string): string => path.replace(/^.*\//, '').replace(/\.(txt|py)$/, '')

async function foldersToRun(): Promise<TableFolder[]> {
  const { left } = useTable.getState()
  const found: TableFolder[] = []
  for (const { id, name } of keptFolders(useFolders.getState())) {
    if (left.has(id)) continue
    const kept = await patternLibrary.load(id)
    if (!kept.ok) throw new Error(`${name}: ${kept.error.message}`)
    if (kept.value) found.push({ id, name, draft: kept.value, code: codeOf(kept.value.workspace) })
  }
  return found
}

export const codeOf = ({ files, environment, passes }: Workspace): string =>
  sha256(JSON.stringify([files, environment ?? null, passes ?? null]))

const failed = (failure: string): FolderCounts => ({ passes: [], failure, notes: [], uncalled: [] })

export const NO_CONSENT =
  'This code comes from a file or a link: open the folder, press Run to allow it, and add it as a new version.'

async function countAll(
  folders: readonly TableFolder[],
  graphs: readonly TableGraph[],
  signal: AbortSignal,
): Promise<FolderResult[]> {
  const counter = new Counter(signal)
  const results = folders.map((f): { folder: string; counts: (FolderCounts | null)[] } => ({
    folder: f.id,
    counts: graphs.map(() => null),
  }))
  let done = 0
  let shown = 0
  const show = (): void => {
    shown = performance.now()
    const progress = { done, total: folders.length * graphs.length }
    useTable.setState({ results: results.map((r) => ({ ...r, counts: [...r.counts] })), progress })
  }
  try {
    for (const [f, folder] of folders.entries()) {
      const { counts } = results[f]!
      const { workspace, foreign } = folder.draft
      let stopped = needsConsent(workspace, foreign) ? NO_CONSENT : null
      let stops = 0
      if (stopped === null) await counter.begin(foreign !== null)
      for (const [g, { file }] of graphs.entries()) {
        if (signal.aborted) return results
        const answer = stopped ?? (await counter.count(withGraphs(workspace, [file], 0)))
        if (signal.aborted) return results
        // One stop may be the graph's fault; after two, the other graphs are not run.
        stops = typeof answer === 'string' ? stops + 1 : 0
        if (stops > 1 && typeof answer === 'string') stopped = answer
        counts[g] = typeof answer === 'string' ? failed(answer) : answer
        done++
        if (performance.now() - shown > SHOW_MS) show()
      }
    }
    return results
  } finally {
    if (!signal.aborted) show()
    counter.dispose()
  }
}

/** The worker of a run. Code of a link or file runs in a worker that no other code has used. */
class Counter {
  private client: EngineClient | null = null
  private foreign = false
  private ready = false

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.dispose(), { once: true })
  }

  async begin(foreign: boolean): Promise<void> {
    if (!this.client) {
      const { createEngineClient } = await import('../../../engine/worker/browser')
      this.client = createEngineClient({ onReady: () => (this.ready = true) })
    } else if (foreign || this.foreign) {
      this.ready = false
      this.client.renew()
    }
    this.foreign = foreign
  }

  /** A string: the code was stopped, or the engine failed. */
  async count(workspace: Workspace): Promise<FolderCounts | string> {
    const client = this.client!
    const limitMs = workspace.options.timeLimitS * 1000
    const timer = setTimeout(
      () => {
        this.ready = false
        client.stop(`Stopped after ${workspace.options.timeLimitS} s: the Python code did not finish.`)
      },
      limitMs + (this.ready ? 0 : START_MS),
    )
    try {
      return await client.counts(workspace)
    } catch (e) {
      return messageOf(e)
    } finally {
      clearTimeout(timer)
    }
  }

  dispose(): void {
    this.client?.dispose()
    this.client = null
  }
}

/** Stores the counts, and compares them with the last run of another version, or else of this version. */
async function compared(
  folders: readonly TableFolder[],
  graphs: readonly TableGraph[],
  results: readonly FolderResult[],
): Promise<{ changes: TableChange[]; since: Map<string, number> }> {
  const changes: TableChange[] = []
  const since = new Map<string, number>()
  const keys = graphs.map((g) => g.key)
  for (const [i, { id, code }] of folders.entries()) {
    const { counts } = results[i]!
    // Without storage there is no earlier run to compare with; the list of folders says why.
    const runs = await tableRuns.of(id).catch(() => [])
    const earlier = runs.find((r) => r.code !== code) ?? runs[0]
    if (earlier) {
      const before = Object.keys(earlier.counts)
      const old: FolderResult = { folder: id, counts: before.map((k) => earlier.counts[k] as FolderCounts) }
      since.set(id, earlier.at)
      changes.push(
        ...tableChanges({ graphs: before, rows: tableRows([old]) }, { graphs: keys, rows: tableRows([results[i]!]) }),
      )
    }
    const kept = Object.fromEntries(counts.flatMap((c, g) => (c && c.failure !== NO_CONSENT ? [[keys[g]!, c]] : [])))
    if (Object.keys(kept).length > 0)
      await tableRuns.keep({ folder: id, code, at: Date.now(), counts: kept }).catch(() => undefined)
  }
  return { changes, since }
}
