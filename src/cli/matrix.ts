/** `fusescope match --graphs …`: the same patterns on several graphs, as a table. */
import type { EntryReport, GraphColumn } from '../engine/protocol'
import { formatProblem } from '../fx'
import { withGraphs, type GraphFile } from '../workspace'
import type { TextFile } from '../workspace/types'
import type { Command } from './args'
import { DEFAULT_TIMEOUT_S } from './box/time_limit'
import { calledFiles, startSession } from './calls'
import { noSuchPass, pythonLine, readGraphFile, readPatterns, workspaceOf } from './inputs'
import { bad, complain, named, show, writeJson } from './output'
import { DONE } from './status'
import { inThreads, threadCount } from './threads/pool'

type MatrixCommand = Extract<Command, { kind: 'matrix' }>

export async function matrixCommand(command: MatrixCommand): Promise<number> {
  const graphs: GraphFile[] = []
  // A file named twice is one graph; files with the same name in different folders are two.
  for (const path of new Set(command.graphs)) {
    const file = readGraphFile(path)
    if (!file.ok) return bad(formatProblem(file.error))
    graphs.push({ ...file.value, name: path })
  }
  const files = readPatterns(command.patterns)
  if (!files.ok) return bad(formatProblem(files.error))
  const table = await tableOf(graphs, { command, files: files.value })
  if (table.failure !== null) return bad(table.failure)
  const { passes, columns } = table
  if (command.json) writeJson(asJson(passes, columns))
  else show(1, asLines(passes, columns))
  for (const c of columns) if (c.problem !== null) complain(`${c.graph}: ${c.problem}`)
  return DONE
}

interface TableOptions {
  command: MatrixCommand
  files: readonly TextFile[]
}

type PassRows = { name: string; entries: Pick<EntryReport, 'index' | 'title' | 'axes' | 'bindings'>[] }

/** The rows of the table, and a column for each graph. */
type Table = { failure: null; passes: PassRows[]; columns: GraphColumn[] } | { failure: string }

/** Runs the graphs on all cores. User code may register depending on the graph: if the rows differ, all graphs run in one Python. */
async function tableOf(graphs: readonly GraphFile[], options: TableOptions): Promise<Table> {
  const threads = threadCount(graphs.length)
  if (threads === 0) return graphsTask(options)(graphs)
  const groups = Array.from({ length: threads }, (_, k) => graphs.filter((_g, i) => i % threads === k))
  const parts = await boxed(groups, options)
  const tables = parts.flatMap((p) => (p.failure === null ? [p] : []))
  const rows = new Set(tables.map((table) => JSON.stringify(table.passes)))
  if (threads > 1 && (tables.length < parts.length || rows.size !== 1)) return (await boxed([graphs], options))[0]!
  if (tables.length < parts.length) return parts[0]!
  const columns = graphs.map((_, i) => tables[i % threads]!.columns[Math.floor(i / threads)]!)
  return { failure: null, passes: tables[0]!.passes, columns }
}

async function boxed(groups: readonly (readonly GraphFile[])[], options: TableOptions): Promise<Table[]> {
  const parts: Table[] = []
  const { timeoutS = DEFAULT_TIMEOUT_S } = options.command
  await inThreads({ name: 'graphs', options, timeoutS }, groups, groups.length, (part: Table | Error) =>
    parts.push(part instanceof Error ? { failure: part.message } : part),
  )
  return parts
}

/** Runs the patterns on graphs, in one Python. */
export function graphsTask({ command, files }: TableOptions): (graphs: readonly GraphFile[]) => Promise<Table> {
  return async (graphs) => {
    const session = await startSession()
    const one = workspaceOf(command, {
      graph: graphs[0]!,
      shapes: undefined,
      inputShapes: undefined,
      files: [...files],
    })
    // A glob may match a single graph: its table has one column.
    const workspace = { graphs: [], ...withGraphs(one, graphs, 0) }
    const called = calledFiles(session, one, command.calls)
    const { report } = session.analyze({ ...workspace, files: called })
    if (report.python) return { failure: pythonLine(report.python, files, report.causes) }
    const missing = report.pipeline?.stages.find((s) => s.off?.why === 'not-defined')
    if (missing !== undefined) return { failure: noSuchPass(command, missing.name) }
    const passes = report.passes.map(({ name, entries }) => ({
      name,
      entries: entries.map(({ index, title, axes, bindings }) => ({ index, title, axes, bindings })),
    }))
    return { failure: null, passes, columns: [...session.graphColumns()].filter((c) => c !== null) }
  }
}

/** By graph, in command-line order: how often each entry fired, and would fire if the missing shapes allow. */
function asJson(passes: readonly PassRows[], columns: readonly GraphColumn[]): object {
  return {
    graphs: columns.map((c) => ({ graph: c.graph, problem: c.problem })),
    passes: passes.map((p, i) => ({
      pass: p.name,
      entries: p.entries.map((e, j) => ({
        entry: e.index,
        title: e.title,
        bindings: e.bindings,
        fired: columns.map((c) => c.fired[i]![j]!),
        unshaped: columns.map((c) => c.unshaped?.[i]?.[j] ?? 0),
      })),
    })),
  }
}

function asLines(passes: readonly PassRows[], columns: readonly GraphColumn[]): string[] {
  const keys = columns.map((_, i) => String(i + 1))
  const width = Math.max(
    ...keys.map((k) => k.length),
    ...columns.flatMap((c) => c.fired.flat()).map((n) => `${n}`.length),
  )
  const cells = (texts: readonly string[]): string => texts.map((t) => t.padStart(width + 1)).join('')
  const lines = columns.map((c, i) => `${keys[i]!.padStart(width)}  ${c.graph}`)
  passes.forEach((pass, i) => {
    const labels = pass.entries.map(labelOf)
    const wide = Math.max(named(pass.name).length, ...labels.map((l) => l.length))
    lines.push('', named(pass.name).padEnd(wide) + cells(keys))
    labels.forEach((label, j) => {
      const counts = columns.map((c) => c.fired[i]![j]! || (c.unshaped?.[i]?.[j] ? '?' : '·'))
      lines.push(label.padEnd(wide) + cells(counts.map(String)))
    })
  })
  if (columns.some((c) => c.unshaped)) lines.push('', '?: all nodes align, and the graph lacks the shapes that decide')
  return lines
}

/** The title, with the axes that distinguish entries of one title. */
const labelOf = ({ title, axes = [], bindings }: PassRows['entries'][number]): string =>
  [title, ...axes.flatMap((a) => (bindings[a] === undefined ? [] : [`${a}=${bindings[a]}`]))].join(' ')
