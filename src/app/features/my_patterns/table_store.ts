/** The table that counts the matches of the user's patterns on each graph: graphs, folders, results and changes. */
import { memoizeByObject } from '../../../base/memoize'
import { create } from 'zustand'
import { combine } from 'zustand/middleware'
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

const state = {
  /** Ids of folders that the table leaves out. */
  left: new Set() as ReadonlySet<string>,
  sources: { workspace: true, gallery: true, added: true } as Readonly<Record<GraphSource, boolean>>,
  /** Graphs that the user added to the table; they are kept until the page closes. */
  added: [] as readonly GraphFile[],
  graphs: [] as readonly TableGraph[],
  folders: [] as readonly TableFolder[],
  /** By folder id. */
  results: [] as readonly FolderResult[],
  /** Changes since the last run of another version of a folder; null until a run ends. `graph` is a key. */
  changes: null as readonly TableChange[] | null,
  /** Date.now() of the earlier run, by folder id. */
  since: new Map() as ReadonlyMap<string, number>,
  running: null as AbortController | null,
  /** Null: not running. */
  progress: null as { done: number; total: number } | null,
  problem: null as string | null,
}
export type TableState = typeof state

export const useTable = create(
  combine(state, (set) => ({
    toggleFolder: (id: string): void =>
      set(({ left }) => ({ left: left.has(id) ? new Set([...left].filter((x) => x !== id)) : new Set([...left, id]) })),
    toggleSource: (source: GraphSource): void =>
      set(({ sources }) => ({ sources: { ...sources, [source]: !sources[source] } })),
    addGraphs: (graphs: readonly GraphFile[]): void =>
      set(({ added, sources }) => {
        const known = new Set(added.map(keyOfGraph))
        const fresh = graphs.filter((g) => !known.has(keyOfGraph(g)))
        return { added: [...added, ...fresh], sources: fresh.length > 0 ? { ...sources, added: true } : sources }
      }),
  })),
)

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
