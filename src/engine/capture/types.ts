/** A capture as it was read: records of docs/capture.md, by their ids. */
import type { Problem } from '../../base/result'
import type { Json } from '../../python/wire'
import type { TextFile } from '../../workspace/types'

export type Fields = { readonly [key: string]: Json }

export interface CapturedPass {
  id: number
  passName: string | null
  /** Module and name of a global variable. */
  variable: readonly [module: string, name: string] | null
  /** Module, class and attribute of the object that applies it. */
  holder: readonly [module: string, cls: string, attribute: string] | null
}

/** A place in user code. */
export type CapturedFrame = readonly [file: string, line: number, fn: string]

export interface CapturedFunction {
  name: string
  file: string | null
  line: number | null
}

export interface CapturedEntry {
  id: number
  kind: 'replacement' | 'graph' | 'lowering'
  /** PatternPrettyPrinter's text; null for a pattern that it cannot print. */
  text: string | null
  pattern: Fields
  title: string | null
  /** Callers outside torch, innermost first. */
  registered: readonly CapturedFrame[]
  functions: Readonly<Record<string, CapturedFunction>>
  argNames: readonly string[]
  exampleInputs: readonly Fields[] | null
  scalarWorkaround: readonly (readonly [string, Json])[] | null
  exclusiveArgNames: readonly string[]
  givenPattern: boolean
  bindings: Readonly<Record<string, string>>
  /** The traced search function. */
  search: Fields | null
}

/** Nodes as JSON, without ranges of a base graph. */
export interface CapturedGraph {
  id: number
  nodes: readonly Fields[]
  /** By node: names of its users, where their order is not that of the graph. */
  users: Readonly<Record<string, readonly string[]>>
  subgraphs: Fields
  /** By symbol. */
  symbols: Readonly<Record<string, { hint?: number; min?: number; max?: number }>>
}

export interface CapturedTrace {
  id: number
  entry: number
  kind: 'specific' | 'replacement'
  argNames: readonly string[]
  graph: Fields
}

/** The edit of a handler. */
export interface CapturedEdit {
  /** New and changed nodes in the order of the graph, each with the name of the node before it. */
  nodes: readonly (Fields & { after: string | null; new: boolean })[]
  erased: readonly string[]
}

export type DropWhy = 'mutation-regions' | 'streams' | 'trace' | 'arguments' | 'extra-check'

export interface CapturedAttempt {
  entry: number
  node: string
  ok: boolean
  reason: string | null
  nodes: readonly string[] | null
  second: {
    node: string
    ok: boolean
    reason: string | null
    nodes: readonly string[] | null
    trace: number | null
  } | null
  dropped: { why: DropWhy; text: string | null } | null
  applied: boolean
  /** Id of a trace. */
  replacement: number | null
  edit: CapturedEdit | null
  raised: string | null
}

/** One call of PatternMatcherPass.apply. */
export interface CapturedApplication {
  id: number
  pass: number
  /** The graph that passes go over. */
  run: number
  compile: string | null
  /** Graph ids; null where the graph was left out. */
  before: number | null
  after: number | null
  table: readonly (readonly [op: string, target: string, entries: readonly number[]])[]
  attempts: CapturedAttempt[]
  /** Null if it raised, or did not end in the capture. */
  count: number | null
  error: string | null
  rootFailures: number
  attemptsLeftOut: number
  /** False if the process crashed inside, or the file is cut. */
  ended: boolean
}

export interface CaptureHeader {
  torch: string
  python: string | null
  platform: string | null
  packages: Readonly<Record<string, string>>
  command: readonly string[]
  time: string | null
  /** Of torchrun, or the job's RANK; null outside of a group of processes. */
  rank: number | null
}

export interface Capture {
  name: string
  header: CaptureHeader
  passes: ReadonlyMap<number, CapturedPass>
  entries: ReadonlyMap<number, CapturedEntry>
  graphs: ReadonlyMap<number, CapturedGraph>
  traces: ReadonlyMap<number, CapturedTrace>
  applications: readonly CapturedApplication[]
  /** Schemas of operators outside PyTorch, by target. */
  operators: ReadonlyMap<string, string>
  /** The Python files that define the patterns, named so that they import each other; empty if not recorded. */
  sources: readonly TextFile[]
  /** By kind of record: how many the size limit left out. */
  leftOut: Readonly<Record<string, number>>
  /** Errors of the recorder. */
  notes: readonly string[]
  /** Lines that could not be read. */
  problems: readonly Problem[]
}

/** A captured run whose recorded patterns are in use. */
export interface RecordedRun {
  capture: Capture
  /** By PipelineRun.passes. */
  applications: readonly CapturedApplication[]
}
