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
