/** Finds the graph that a `--graph` names: a text, a graph of a dump (`trace.log@3`), a .pt2, or a folder of dumps. */
import { basename, join, relative } from 'node:path'
import { err, ok, type Result } from '../base/result'
import { bestOf, dumpOfBytes, dumpOfText, formatProblem, graphsOfFiles, pipelineOf, read, UNREADABLE } from '../fx'
import type { Dump, DumpGraph, FileDump, Problem, Reading } from '../fx'
import { entriesOf, pathOf, readBytes, statOf, textOf } from './input'
import { complain } from './output'

export const GRAPH_EXPECTED = 'the text of print(graph) or of print_readable'

export interface GraphSource {
  /** Base name, for the workspace. */
  name: string
  text: string
  reading: Reading
}

/** Reads the graph that `name` names. Prints unreadable parts and the other graphs. Returns an error if nothing could be read. */
export function readGraphSource(name: string): Result<GraphSource> {
  const at = /@(\d+)$/.exec(name)
  const path = at && !exists(name) ? name.slice(0, at.index) : name
  const index = path === name ? null : Number(at![1]) - 1
  const dump = readDump(path)
  if (!dump.ok) return dump
  const { graphs, best, problems, kind } = dump.value
  if (graphs.length === 0) return err(problems[0] ?? problemAt(path, 'there is no graph in it'))
  const chosen = index ?? best
  const graph = graphs[chosen]
  if (!graph) return err(problemAt(path, `it holds ${graphs.length} graphs, and none is @${index! + 1}`))
  const reading = read(graph.text, path)
  // Graphs of a text and of a log have its lines.
  if (kind === 'text' || kind === 'torch-trace')
    for (const p of [...reading.problems, ...reading.notes]) p.line += graph.line - 1
  const problem = unreadable(reading)
  // A text without a graph has a single problem, which both readings found.
  for (const p of problems) if (p.line !== problem?.line || p.message !== problem.message) complain(formatProblem(p))
  if (problem) return err(problem)
  complainOf(reading)
  if (graphs.length > 1 && index === null) complain(listOf(path, graphs, chosen))
  return ok({ name: basename(path), text: graph.text, reading })
}

/** The graphs in a file or a folder. */
export function readDump(path: string): Result<Dump> {
  if (isFolder(path)) return ok(folderDump(path))
  const bytes = readBytes(path, GRAPH_EXPECTED)
  if (!bytes.ok) return bytes
  const archive = dumpOfBytes(bytes.value, path)
  if (archive) return ok(archive)
  const text = textOf(bytes.value, path, GRAPH_EXPECTED)
  return text.ok ? ok(dumpOfText(text.value, path)) : text
}

/** One line for each graph of a dump. */
export const listOf = (path: string, graphs: readonly DumpGraph[], chosen: number): string =>
  [
    `${path}: ${graphs.length} graphs; ${path}@${chosen + 1} is read. Name another:`,
    ...graphs.map((g, i) => `  ${path}@${i + 1}  ${g.group === null ? '' : `${g.group} `}${g.title} (line ${g.line})`),
  ].join('\n')

const SKIPPED = /^(\.|__pycache__$|node_modules$)/
/**
 * Limits of a folder: the number of files with the size of a dump, their total bytes, and folders; and the size of the largest
 * file, in bytes.
 */
const MAX_FILES = 5000
const MAX_BYTES = 256 * 1024 * 1024
const MAX_FOLDERS = 5000
const LARGEST = 64 * 1024 * 1024
const LIMITS = `${MAX_FILES.toLocaleString('en-US')} files, ${MAX_FOLDERS.toLocaleString('en-US')} folders and 256 MiB`

function folderDump(folder: string): Dump {
  const files: FileDump[] = []
  const left = { files: MAX_FILES, bytes: MAX_BYTES, folders: MAX_FOLDERS }
  const isOver = (): boolean => Math.min(left.files, left.bytes, left.folders) < 0
  const walk = (path: string): void => {
    left.folders--
    for (const entry of entriesOf(pathOf(path)).sort((a, b) => byName.compare(a.name, b.name))) {
      if (isOver()) return
      if (SKIPPED.test(entry.name)) continue
      const inner = join(path, entry.name)
      if (entry.isDirectory()) walk(inner)
      else if (entry.isFile()) {
        const bytes = statOf(inner)?.size ?? Infinity
        if (bytes > LARGEST) continue
        left.files--
        left.bytes -= bytes
        const dump = isOver() ? null : readDump(inner)
        if (dump?.ok) files.push({ path: relative(folder, inner), dump: dump.value })
      }
    }
  }
  walk(folder)
  const graphs = graphsOfFiles(files)
  const pipeline = pipelineOf(graphs)
  const rest = pipeline ? graphs.filter((g) => !pipeline.some((p) => p.text === g.text)) : graphs
  const what = isOver() ? `the folder has more than the limit of ${LIMITS}; the rest is not read` : null
  const none = `the folder has no file with an FX graph${what === null ? '' : ` in what is read: ${what}`}`
  const problems = graphs.length === 0 ? [problemAt(folder, none)] : what === null ? [] : [problemAt(folder, what)]
  return { kind: 'text', graphs: [...(pipeline ?? []), ...rest], best: pipeline ? 0 : bestOf(graphs), problems }
}

const byName = new Intl.Collator('en', { numeric: true })

/** The problem of a text in which no node could be read, or whose graph has a cycle; null for any other text. */
export function unreadable({ graph, problems }: Reading): Problem | null {
  const cycle = problems.find((p) => p.expected === 'a graph without cycles')
  if (cycle) return cycle
  const some = [...graph.nodes()].some((n) => n.op !== 'output' && n.target !== UNREADABLE)
  return some ? null : (problems[0] ?? null)
}

/** Prints the unreadable parts of a graph's text, and the facts that it leaves open. */
function complainOf({ problems, notes }: Reading): void {
  for (const p of problems) complain(formatProblem(p))
  for (const n of notes) complain(`${formatProblem(n)} (note)`)
}

function problemAt(file: string, message: string): Problem {
  return { file, line: 1, column: 1, message: `${message}; expected ${GRAPH_EXPECTED}.`, expected: GRAPH_EXPECTED }
}

const exists = (path: string): boolean => statOf(path) !== undefined
const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true
