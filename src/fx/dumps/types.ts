import type { Problem } from '../../base/result'

/** A graph of a dump. */
export interface DumpGraph {
  /** The artifact, the class, or the file. */
  title: string
  /** The compile id, or the folder; null if there is none. */
  group: string | null
  /** Line of the dump on which the graph starts, from 1. */
  line: number
  text: string
}

/** The graphs of a dump, in order. */
export interface Dump {
  kind: 'torch-trace' | 'pt2' | 'json' | 'diff' | 'text'
  graphs: DumpGraph[]
  /** Index of the graph to read by default. */
  best: number
  /** Why there is no graph, or what was left out. */
  problems: Problem[]
}

/** True if the dump has readable graphs. A text without any is read as one graph whose problem says why it has no nodes. */
export const holdsGraphs = ({ graphs, problems }: Dump): boolean =>
  graphs.length > 1 || (graphs.length === 1 && problems.length === 0)
