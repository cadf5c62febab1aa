/** `fusescope table`: folders of passes by graphs, and what changed since an earlier table. */
import { basename } from 'node:path'
import { messageOf } from '../../base/error_message'
import { createSession, type Session } from '../../engine/session/session'
import { tableChanges, tableRows } from '../../engine/table/table'
import type { FolderCounts, FolderResult } from '../../engine/table/types'
import { formatProblem } from '../../fx'
import { nodeAssets } from '../../python/node_assets'
import { withCalls, withGraphs, type GraphFile } from '../../workspace'
import { joinedForms } from '../../workspace/other_form'
import type { TextFile, Workspace } from '../../workspace/types'
import { DEFAULT_TIMEOUT_S } from '../box/time_limit'
import { ALL_CALLS } from '../calls'
import { readDump, readGraphSource } from '../graph_source'
import { statOf } from '../input'
import { readPatterns } from '../inputs'
import { complain, show, writeJson } from '../output'
import { BAD_INPUT, DONE, UNMET } from '../status'
import { inThreads, threadCount } from '../threads/pool'
import type { TableCommand } from './table_args'
import { readEarlier, tableJson } from './table_json'
import { tableLines } from './table_text'

/** Exit status 1: a cell newly fails since the table of `--since`. */
export async function tableCommand(command: TableCommand & { timeoutS?: number }): Promise<number> {
  const earlier = command.since === null ? null : readEarlier(command.since)
  if (earlier && !earlier.ok) return bad(formatProblem(earlier.error))
  const folders: Folder[] = []
  for (const path of new Set(command.passes)) {
    const files = readPatterns([path])
    if (!files.ok) return bad(formatProblem(files.error))
    folders.push({ name: nameOf(path, command.passes), files: withNamedCalls(files.value, command.calls) })
  }
  const graphs: GraphFile[] = []
  for (const path of new Set(command.graphs)) {
    const found = graphsAt(path)
    if (typeof found === 'string') return bad(found)
    graphs.push(...found)
  }
  const results = await countAll(folders, joinedForms(graphs), command)
  const table = { graphs: joinedForms(graphs).map((g) => g.name), rows: tableRows(results) }
  const changes = earlier ? tableChanges(earlier.value, table) : null
  if (command.json) writeJson(tableJson(table, results, changes))
  else show(1, tableLines(table, results, changes))
  return changes?.some((c) => c.kind === 'failing') ? UNMET : DONE
}

interface Folder {
  name: string
  files: readonly TextFile[]
}

/** The last part of a path; the whole path where another folder has the same. */
function nameOf(path: string, all: readonly string[]): string {
  const name = basename(path) || path
  return new Set(all).size > new Set(all.map((p) => basename(p) || p)).size ? path : name
}

const withNamedCalls = (files: readonly TextFile[], calls: readonly string[]): TextFile[] =>
  withCalls(
    files,
    calls.filter((c) => c !== ALL_CALLS),
  )

/** The graphs of a file or a folder; a string: the problem. */
function graphsAt(path: string): GraphFile[] | string {
  if (statOf(path)?.isDirectory() !== true) {
    const source = readGraphSource(path)
    return source.ok ? [{ name: path, text: source.value.text }] : formatProblem(source.error)
  }
  const dump = readDump(path)
  if (!dump.ok) return formatProblem(dump.error)
  const { graphs, problems } = dump.value
  if (graphs.length === 0) return problems[0] ? formatProblem(problems[0]) : `${path}: there is no graph in it`
  return graphs.map(({ group, title, text }) => ({ name: group === null ? title : `${group} ${title}`, text }))
}

/** A folder on some of the graphs. */
interface Task {
  folder: Folder
  graphs: readonly GraphFile[]
}

/** Graphs of one task: a process answers at once for so many, and its time limit holds for them. */
const GRAPHS_OF_TASK = 4

async function countAll(
  folders: readonly Folder[],
  graphs: readonly GraphFile[],
  { calls, timeoutS = DEFAULT_TIMEOUT_S }: TableCommand & { timeoutS?: number },
): Promise<FolderResult[]> {
  const parts = Array.from({ length: Math.ceil(graphs.length / GRAPHS_OF_TASK) }, (_, i) =>
    graphs.slice(i * GRAPHS_OF_TASK, (i + 1) * GRAPHS_OF_TASK),
  )
  const tasks = folders.flatMap((folder) => parts.map((part): Task => ({ folder, graphs: part })))
  const answers: FolderCounts[][] = []
  const done = (answer: FolderCounts[] | Error, i: number): void => {
    answers[i] = answer instanceof Error ? tasks[i]!.graphs.map(() => failed(answer.message)) : answer
  }
  const threads = threadCount(tasks.length)
  if (threads > 0) await inThreads({ name: 'table', options: { calls }, timeoutS }, tasks, threads, done)
  else {
    const answer = tableTask({ calls })
    for (const [i, task] of tasks.entries()) done(await answer(task), i)
  }
  return folders.map(({ name }, f) => ({
    folder: name,
    counts: answers.slice(f * parts.length, (f + 1) * parts.length).flat(),
  }))
}

const failed = (failure: string): FolderCounts => ({ passes: [], failure, notes: [], uncalled: [] })

/** Counts tasks in one Python. */
export function tableTask({ calls }: Pick<TableCommand, 'calls'>): (task: Task) => Promise<FolderCounts[]> {
  let session: Session | null = null
  return async ({ folder, graphs }) => {
    if (session?.broken()) session = null
    session ??= createSession(nodeAssets())
    await session.ready
    const counts: FolderCounts[] = []
    for (const graph of graphs) {
      try {
        counts.push(countsOf(session, folder, graph, calls.includes(ALL_CALLS)))
      } catch (e) {
        counts.push(failed(messageOf(e)))
      }
    }
    return counts
  }
}

/** @param all also calls the functions that no file calls */
function countsOf(session: Session, { name, files }: Folder, graph: GraphFile, all: boolean): FolderCounts {
  const empty: Workspace = {
    name,
    graph: { name: graph.name, text: '' },
    files: [...files],
    options: { timeLimitS: 3600 },
  }
  const workspace = withGraphs(empty, [graph], 0)
  const counts = session.counts(workspace)
  if (!all || counts.uncalled.length === 0) return counts
  return session.counts({ ...workspace, files: withCalls(files, counts.uncalled) })
}

function bad(message: string): number {
  complain(message)
  return BAD_INPUT
}
