/** The graphs of the files of a folder, or of several dropped files, under the names of their files. */
import { holdsGraphs, type Dump, type DumpGraph } from './types'

export interface FileDump {
  /** The file's path in the folder. */
  path: string
  dump: Dump
}

/**
 * All graphs in the order of the files, including none for a file without one. tlparse writes a log beside its artifacts: a log's
 * graph that also has a file is listed once.
 */
export function graphsOfFiles(files: readonly FileDump[]): DumpGraph[] {
  const artifacts = new Set(
    files.filter((f) => f.dump.kind !== 'torch-trace').flatMap((f) => f.dump.graphs.map((g) => g.text.trim())),
  )
  return files.flatMap(({ path, dump }) => {
    const graphs = graphsOfFile(dump, path)
    return dump.kind === 'torch-trace' ? graphs.filter((g) => !artifacts.has(g.text.trim())) : graphs
  })
}

/** The graphs of one of several files: named by the file's path if there is one, else by their names in the file. */
export function graphsOfFile(dump: Dump, path: string): DumpGraph[] {
  if (!holdsGraphs(dump)) return []
  const { graphs } = dump
  if (graphs.length === 1) return [{ ...graphs[0]!, group: null, title: path }]
  return graphs.map((g) => ({ ...g, group: g.group === null ? path : `${path} ${g.group}` }))
}
