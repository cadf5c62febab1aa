/**
 * The public surface of the package `fusescope` (docs/api.md), and its types for TypeScript: this file imports nothing. All values are
 * plain data.
 */

/** A graph with Python files. */
export interface Input {
  /** The graph's text, in any form of docs/dumps.md. */
  graph: string
  /** Text by file name, in the order in which they run; they import each other by name. */
  files: Readonly<Record<string, string>>
  /** A second text of the same graph that contains the shapes, if `graph` is a print(graph). */
  shapes?: string
  /** Variables of the passes to apply, in order; absent: each that the files define. */
  passes?: readonly string[]
  /** The environment that the files query through vllm.platforms and other modules; absent fields: docs/environment.md. */
  environment?: Environment
}

export interface Environment {
  platform?: string
  dtype?: 'bfloat16' | 'float16' | 'float32'
  /** Null: symbolic. */
  tokens?: number | null
  customOps?: string[]
  functionalization?: 'v1' | 'v2'
  flags?: Record<string, boolean | number | string>
  /** The model's layers by name, each as the call that creates it. */
  layers?: Record<string, string>
  /** The PyTorch version of the verdicts; absent: the newest. */
  torch?: '2.6' | '2.13' | '2.14'
}

export interface Place {
  file: string
  /** From 1. */
  line: number
}

export interface Node {
  name: string
  op: string
  /** `aten.mm.default`. */
  target: string
  dtype: string | null
  /** `[48, 256]`; null if unknown, or not a tensor. */
  shape: string | null
  /** As print(graph) writes them. */
  args: string[]
  kwargs: [name: string, value: string][]
}

export interface Problem extends Place {
  message: string
}

export interface Read {
  nodes: Node[]
  /** Lines of the text that were not understood. */
  problems: Problem[]
}

export interface Match {
  /** Index into `patterns`. */
  pattern: number
  /** The matched nodes. */
  nodes: string[]
  /** Argument of the pattern → node of the graph, or the text of a constant. */
  inputs: Record<string, string>
  /** The nodes that the replacement added. */
  added: string[]
}

export interface Pattern {
  /** Class or function that registered it. */
  title: string
  /** Where it was registered. */
  source: Place | null
  /** The bindings that distinguish it from other patterns with its title. */
  bindings: Record<string, string>
  /** Number of its matches. */
  count: number
}

export interface Pass {
  name: string
  count: number
  /** The exception raised while it was applied. */
  error: string | null
  patterns: Pattern[]
  matches: Match[]
}

export interface Matched {
  passes: Pass[]
  /** The exception that the files raised; in that case, no pass has run. */
  error: string | null
  /** Lines that the files printed. */
  console: string[]
}

/** A replacement for a range of a text. */
export interface Edit {
  file: string
  /** Lines and columns from 1; `to` is exclusive. */
  from: { line: number; column: number }
  to: { line: number; column: number }
  text: string
}

export interface Fix {
  title: string
  edits: Edit[]
  /** The edits as a diff. */
  diff: string
  /** Whether the graph's results stay the same, in one sentence. */
  numbers: string
  matchesBefore: number
  matchesAfter: number
}

export interface Cause {
  /** A kind of docs/causes.md. */
  kind: string
  message: string
  source: Place | null
  /** A node of the graph. */
  node: string | null
  expected: string | null
  found: string | null
  /** The fixes; each was applied to a copy of the files, run, and found to make the pattern fire. */
  fixes: Fix[]
}

/** A pattern that does not fire, at the place where most of it aligns. */
export interface NearMiss {
  pass: string | null
  title: string | null
  /** The node at which it was tried; null for a pattern that was not registered. */
  anchor: string | null
  /** The number of pattern nodes that align, and their total. */
  aligned: number
  of: number
  /** The number of places with the same causes. */
  times: number
  /** The most likely first. */
  causes: Cause[]
}

export interface Session {
  /** The graph. Runs no Python. */
  read(): Promise<Read>
  /** Runs the files and applies their passes to a copy of the graph. */
  match(): Promise<Matched>
  /** Why patterns do not fire. @param options `fixes`: also search for edits that make them fire, which takes longer */
  explain(options?: { fixes?: boolean }): Promise<NearMiss[]>
  /** The graph as text, before or after the passes. */
  print(options?: { as?: 'fx' | 'readable'; which?: 'before' | 'after' }): Promise<string>
  /** Replaces the given parts of the input: the next calls use them. */
  change(changed: Partial<Input>): Promise<void>
}

/**
 * Starts Python, which takes a fraction of a second, and opens a graph with its files. Python runs in this process or worker: the
 * files run with Python's own bounds, but without a limit of time (docs/api.md).
 * @throws Error, one sentence, for input that cannot be used
 */
export declare function openSession(input: Input): Promise<Session>

/**
 * A call to the worker `fusescope/worker`; `open` must come first. A later `open` replaces the whole input, `change` only the given
 * parts. If one fails, the earlier input stays.
 */
export type WorkerCall =
  | { id: number; call: 'open'; input: Input }
  | { id: number; call: 'change'; input: Partial<Input> }
  | { id: number; call: 'read' | 'match' }
  | { id: number; call: 'explain'; options?: Parameters<Session['explain']>[0] }
  | { id: number; call: 'print'; options?: Parameters<Session['print']>[0] }

/** Its answer: the result of the Session method. */
export type WorkerAnswer = { id: number; result: unknown } | { id: number; error: string }
