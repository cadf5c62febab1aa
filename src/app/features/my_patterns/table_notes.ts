/** The sentences below the table: each failure once, with the graphs that it concerns. */
import { count, listed } from '../../../base/english'
import type { FolderResult } from '../../../engine/protocol'
import type { TableFolder, TableGraph } from './table_store'

export interface FolderNote {
  folder: string
  text: string
  /** Names of graphs; empty: all. */
  where: string
  /** True if the passes did not run; false if some files failed beside others, and for problems of a graph. */
  failure: boolean
}

export function notesOf(
  folders: readonly Pick<TableFolder, 'id' | 'name'>[],
  graphs: readonly Pick<TableGraph, 'name'>[],
  results: readonly FolderResult[],
): FolderNote[] {
  return folders.flatMap(({ id, name }) => {
    const found = new Map<string, { failure: boolean; at: string[] }>()
    const counts = results.find((r) => r.folder === id)?.counts ?? []
    const add = (text: string, failure: boolean, graph: number): void => {
      const note = found.get(text) ?? { failure, at: [] }
      if (note.at.at(-1) !== graphs[graph]!.name) note.at.push(graphs[graph]!.name)
      found.set(text, note)
    }
    counts.forEach((c, g) => {
      if (c === null) return
      if (c.failure !== null) add(c.failure, true, g)
      for (const p of c.passes) if (p.error !== null) add(`${p.pass}: ${p.error}`, true, g)
      for (const n of c.notes) if (n !== c.failure) add(n, false, g)
      if (c.uncalled.length > 0) add(uncalledText(c.uncalled), false, g)
    })
    return [...found].map(([text, { failure, at }]) => ({
      folder: name,
      text,
      where: at.length === graphs.length ? '' : listed(at, 3),
      failure,
    }))
  })
}

const uncalledText = (names: readonly string[]): string =>
  `no file calls ${listed(names, 3)}, which ${names.length === 1 ? 'registers' : 'register'} patterns: open the folder and ` +
  `call ${names.length === 1 ? 'it' : count(names.length, 'function')}.`
