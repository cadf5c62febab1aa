/** The folders of passes and the graphs that `table`, `baseline` and `check` are given. */
import { basename } from 'node:path'
import { formatProblem } from '../../fx'
import { withCalls, type GraphFile } from '../../workspace'
import { joinedForms } from '../../workspace/other_form'
import type { Environment, TextFile } from '../../workspace/types'
import { ALL_CALLS } from '../calls'
import { readDump, readGraphSource } from '../graph_source'
import { statOf } from '../input'
import { readPatterns } from '../inputs'
import type { TableCommand } from './table_args'

export interface TableInput {
  folders: Folder[]
  graphs: GraphFile[]
}

export interface Folder {
  name: string
  files: readonly TextFile[]
  environment?: Environment
}

/** A string: the problem. */
export function readTableInput({
  passes,
  graphs: paths,
  calls,
  environment,
}: Pick<TableCommand, 'passes' | 'graphs' | 'calls' | 'environment'>): TableInput | string {
  const folders: Folder[] = []
  for (const path of new Set(passes)) {
    const files = readPatterns([path])
    if (!files.ok) return formatProblem(files.error)
    folders.push({
      name: nameOf(path, passes),
      files: withNamedCalls(files.value, calls),
      ...(environment && { environment }),
    })
  }
  const graphs: GraphFile[] = []
  for (const path of new Set(paths)) {
    const found = graphsAt(path)
    if (typeof found === 'string') return found
    graphs.push(...found)
  }
  return { folders, graphs: numbered(joinedForms(graphs)) }
}

/** Tables are compared by name, so the second graph with a name gets a number. */
function numbered(graphs: readonly GraphFile[]): GraphFile[] {
  const times = new Map<string, number>()
  return graphs.map((graph) => {
    const n = (times.get(graph.name) ?? 0) + 1
    times.set(graph.name, n)
    return n === 1 ? graph : { ...graph, name: `${graph.name} #${n}` }
  })
}

/** The last part of a path; the whole path if another folder has the same last part. */
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
