import type { Problem } from '../../base/result'

/** A graph of a dump. */
export interface DumpGraph {
  /** The artifact, the class, or the file. */
  title: string
  /** The compile id, or the folder; null if there is none. */
  group: string | null
  /** Line of the dump that it starts on, from 1. */
  line: number
  text: string
}

/** The graphs of a dump, in its order. */
export interface Dump {
  kind: 'torch-trace' | 'pt2' | 'json' | 'diff' | 'text'
  graphs: DumpGraph[]
  /** Index of the graph to read by default. */
  best: number
  /** Why there is no graph, or what was left out. */
  problems: Problem[]
}

/** True for a dump with graphs that could be read: a text without one is a graph of itself, with the problem why. */
export const holdsGraphs = ({ graphs, problems }: Dump): boolean =>
  graphs.length > 1 || (graphs.length === 1 && problems.length === 0)
