/** `fusescope table`: folders of passes by graphs, and what changed since an earlier table. */
import { messageOf } from '../../base/error_message'
import { createSession, type Session } from '../../engine/session/session'
import { tableChanges, tableRows } from '../../engine/table/table'
import type { FolderCounts, FolderResult } from '../../engine/table/types'
import { formatProblem } from '../../fx'
import { nodeAssets } from '../../python/node_assets'
import { withCalls, withGraphs, type GraphFile } from '../../workspace'
import type { Workspace } from '../../workspace/types'
import { ALL_CALLS } from '../calls'
import { bad, show, writeJson } from '../output'
import { DONE, UNMET } from '../status'
import { runBatch } from '../threads/batch'
import { inShard, type BatchOptions } from '../threads/shard'
import type { TableCommand } from './table_args'
import { readTableInput, type Folder, type TableInput } from './table_input'
import { readEarlier, tableJson } from './table_json'
import { isCounts, mergeParts, type CountedTable, type TablePart } from './table_parts'
import { tableLines } from './table_text'

/** Exit status 1: a cell newly fails since the table of `--since`. */
export async function tableCommand(command: TableCommand & BatchOptions): Promise<number> {
  const earlier = command.since === null ? null : readEarlier(command.since)
  if (earlier && !earlier.ok) return bad(formatProblem(earlier.error))
  const counted = command.merge.length > 0 ? mergeParts(command.merge) : await countGiven(command)
  if (typeof counted === 'string') return bad(counted)
  if (command.shard) {
    writeJson({ shard: command.shard, ...counted } satisfies TablePart)
    return DONE
  }
  const { graphs, results } = counted
  const table = { graphs, rows: tableRows(results) }
  const changes = earlier ? tableChanges(earlier.value, table) : null
  if (command.json) writeJson(tableJson(table, results, changes))
  else show(1, tableLines(table, results, changes))
  return changes?.some((c) => c.kind === 'failing') ? UNMET : DONE
}

async function countGiven(command: TableCommand & BatchOptions): Promise<CountedTable | string> {
  const input = readTableInput(command)
  return typeof input === 'string' ? input : countTable(input, command)
}

/** Counts the folders on this shard's graphs. A string: the problem. */
export async function countTable(
  { folders, graphs }: TableInput,
  command: Pick<TableCommand, 'calls'> & BatchOptions,
): Promise<CountedTable | string> {
  const own = inShard(graphs, command.shard)
  const results = await countAll(folders, own, command)
  return typeof results === 'string' ? results : { graphs: own.map((g) => g.name), results }
}

/** A folder on some of the graphs. */
interface Task {
  folder: Folder
  graphs: readonly GraphFile[]
}

/** Number of graphs in one task: a process answers for all of them at once, and its time limit applies to all. */
const GRAPHS_OF_TASK = 4

/** A string: the problem. */
async function countAll(
  folders: readonly Folder[],
  graphs: readonly GraphFile[],
  { calls, ...batch }: Pick<TableCommand, 'calls'> & BatchOptions,
): Promise<FolderResult[] | string> {
  const parts = Array.from({ length: Math.ceil(graphs.length / GRAPHS_OF_TASK) }, (_, i) =>
    graphs.slice(i * GRAPHS_OF_TASK, (i + 1) * GRAPHS_OF_TASK),
  )
  const tasks = folders.flatMap((folder) => parts.map((part): Task => ({ folder, graphs: part })))
  const answers: FolderCounts[][] = []
  const done = (answer: FolderCounts[] | Error, i: number): void => {
    answers[i] = answer instanceof Error ? tasks[i]!.graphs.map(() => failed(answer.message)) : answer
  }
  const options = { calls }
  const refused = await runBatch(
    { name: 'table', options, task: tableTask(options), isAnswer: isListOfCounts },
    tasks,
    batch,
    done,
  )
  if (refused !== null) return refused
  return folders.map(({ name }, f) => ({
    folder: name,
    counts: answers.slice(f * parts.length, (f + 1) * parts.length).flat(),
  }))
}

const isListOfCounts = (value: unknown): value is FolderCounts[] => Array.isArray(value) && value.every(isCounts)

const failed = (failure: string): FolderCounts => ({ passes: [], failure, notes: [], uncalled: [] })

/** Counts tasks in one Python. */
export function tableTask({ calls }: Pick<TableCommand, 'calls'>): (task: Task) => Promise<FolderCounts[]> {
  const session = oneSession()
  return async ({ folder, graphs }) => {
    const counts: FolderCounts[] = []
    for (const graph of graphs) {
      try {
        counts.push(countFolder(await session(), folder, graph, calls.includes(ALL_CALLS)))
      } catch (e) {
        counts.push(failed(messageOf(e)))
      }
    }
    return counts
  }
}

/** The session of a process; a new one after a stack overflow, which leaves Python unusable. */
export function oneSession(): () => Promise<Session> {
  let session: Session | null = null
  return async () => {
    if (session?.broken()) session = null
    session ??= createSession(nodeAssets())
    await session.ready
    return session
  }
}

/** @param all true to call the functions that no file calls, too */
function countFolder(session: Session, folder: Folder, graph: GraphFile, all: boolean): FolderCounts {
  const workspace = folderWorkspace(folder, graph)
  const counts = session.counts(workspace)
  return all && counts.uncalled.length > 0 ? session.counts(calling(workspace, counts.uncalled)) : counts
}

/** The workspace whose passes countFolder counts. */
export function countedWorkspace(session: Session, folder: Folder, graph: GraphFile, all: boolean): Workspace {
  const workspace = folderWorkspace(folder, graph)
  const uncalled = all ? session.counts(workspace).uncalled : []
  return uncalled.length > 0 ? calling(workspace, uncalled) : workspace
}

const calling = (workspace: Workspace, functions: readonly string[]): Workspace => ({
  ...workspace,
  files: withCalls(workspace.files, functions),
})

function folderWorkspace({ name, files, environment }: Folder, graph: GraphFile): Workspace {
  const empty: Workspace = {
    name,
    graph: { name: graph.name, text: '' },
    files: [...files],
    ...(environment && { environment }),
    options: { timeLimitS: 3600 },
  }
  return withGraphs(empty, [graph], 0)
}
