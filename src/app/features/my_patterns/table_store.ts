/** The table of the user's patterns by graphs: what it covers, its results and its changes. */
import { memoizeByObject } from '../../../base/memoize'
import { create } from 'zustand'
import { sha256 } from '../../../base/sha256'
import { freeName } from '../../../workspace/file_names'
import type { FolderResult, TableChange } from '../../../engine/protocol'
import type { Draft } from '../../../workspace/library'
import type { GraphFile } from '../../../workspace/types'

export interface TableGraph {
  /** Unique in the table. */
  name: string
  /** Hash of its texts. */
  key: string
  file: GraphFile
}

export interface TableFolder {
  id: string
  name: string
  draft: Draft
  /** Hash of the code and the environment. */
  code: string
}

export type GraphSource = 'workspace' | 'gallery' | 'added'

export interface TableStore {
  /** Ids of folders that the table leaves out. */
  left: ReadonlySet<string>
  sources: Readonly<Record<GraphSource, boolean>>
  /** Graphs that the user added to the table; they last until the page closes. */
  added: readonly GraphFile[]
  graphs: readonly TableGraph[]
  folders: readonly TableFolder[]
  /** By folder id. */
  results: readonly FolderResult[]
  /** Since the last run of another version of a folder; null until a run ends. `graph` is a key. */
  changes: readonly TableChange[] | null
  /** Date.now() of the earlier run, by folder id. */
  since: ReadonlyMap<string, number>
  running: AbortController | null
  /** Null: not running. */
  progress: { done: number; total: number } | null
  problem: string | null
  toggleFolder(id: string): void
  toggleSource(source: GraphSource): void
  addGraphs(graphs: readonly GraphFile[]): void
}

export const useTable = create<TableStore>((set) => ({
  left: new Set(),
  sources: { workspace: true, gallery: true, added: true },
  added: [],
  graphs: [],
  folders: [],
  results: [],
  changes: null,
  since: new Map(),
  running: null,
  progress: null,
  problem: null,
  toggleFolder: (id) =>
    set(({ left }) => ({ left: left.has(id) ? new Set([...left].filter((x) => x !== id)) : new Set([...left, id]) })),
  toggleSource: (source) => set(({ sources }) => ({ sources: { ...sources, [source]: !sources[source] } })),
  addGraphs: (graphs) =>
    set(({ added, sources }) => {
      const known = new Set(added.map(keyOfGraph))
      const fresh = graphs.filter((g) => !known.has(keyOfGraph(g)))
      return { added: [...added, ...fresh], sources: fresh.length > 0 ? { ...sources, added: true } : sources }
    }),
}))

/** Hash of a graph's texts, computed once for each file object. */
export const keyOfGraph = memoizeByObject(({ text, shapes, inputShapes }: GraphFile) =>
  sha256(JSON.stringify([text, shapes?.text ?? null, inputShapes ?? null])),
)

/** Graphs for the table: equal ones once, equal names numbered. */
export function tableGraphs(files: readonly GraphFile[]): TableGraph[] {
  const byKey = new Map(
    files
      .filter((f) => f.text.trim() !== '')
      .map((f) => [keyOfGraph(f), f] as const)
      .reverse(),
  )
  const taken: string[] = []
  return [...byKey].reverse().map(([key, file]) => {
    const name = freeName(file.name, taken)
    taken.push(name)
    return { name, key, file }
  })
}
