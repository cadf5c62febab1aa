/**
 * The facts behind a cause, as a discriminated union: names of graph nodes, operators, values as Python's repr, counts.
 * Only `messageOf` (messages.ts) turns them into text, and no code reads that text.
 */
import type { SourcePlace } from '../../base/message'
import type { DropReason } from '../../matcher/reasons/drop_reason'
import type { GuessedSchema } from '../../matcher/schema_facts'
import type { Mismatch, Phase, RefusingReturn, StubDecision } from '../../matcher/types'

/** A value of the pattern: an operator call, an item of a call, or an argument. */
export type PatternTerm = { operator: string; item?: string } | { argument: string }

/** A value in the graph: a node, or a constant as Python's repr. */
export type GraphValue = { node: string } | { value: string }

/** A node with the operator that it runs. */
export interface NodeCall {
  node: string
  operator: string
}

/** The classes of two modules; null if no text names the class. */
export interface ModuleClasses {
  expected: string | null
  found: string | null
}

export type OperatorReason =
  | { kind: 'other-overload'; node: string; expected: string; found: string }
  | { kind: 'other-functionalization'; node: string; operator: string; expected: string; found: string }
  | { kind: 'other-factory'; node: string; expected: string; found: string }
  | {
      kind: 'other-operator'
      node: string
      found: { operator: string } | { op: string }
      expected: PatternTerm
      /** The graph has reshape, the pattern view: no search function traces to reshape. */
      viewForReshape: boolean
    }
  /** `modules`: both call modules, at different paths. */
  | { kind: 'other-call'; node: string; expected: string; found: string; modules: ModuleClasses | null }
  | {
      kind: 'decomposed-in-graph'
      operator: string
      custom: boolean
      nodes: string[]
      /** Set if Inductor decomposes it: for each argument of the operator, the graph node at its place. */
      inductor?: (string | null)[]
    }
  | {
      kind: 'decomposed-in-pattern'
      operator: string
      custom: boolean
      node: string
      terms: PatternTerm[]
      /** The Inductor pass that creates such an operator before custom passes run. */
      madeBy: 'attention-patterns' | 'addmm-patterns' | null
    }
  | {
      kind: 'inserted'
      nodes: string[]
      operators: string[]
      after: string
      softcap: boolean
      /** True if all of them are copies that tracing removes from a pattern. */
      copies: boolean
    }
  | { kind: 'inserted-on-one-side'; nodes: string[]; operators: string[]; after: string; copies: boolean }
  | { kind: 'cat-with-copy'; node: string; nodes: string[]; operators: string[] }
  | { kind: 'missing'; expected: PatternTerm; after: string }

export type ArgumentReason =
  | { kind: 'list-length'; node: string; argument: string; expected: number; found: number }
  | { kind: 'keyword-missing'; node: string; argument: string; value: string }
  | { kind: 'keyword-extra'; node: string; argument: string; value: string }
  | { kind: 'keyword-order'; node: string; expected: string[]; found: string[] }
  | {
      kind: 'passed-by'
      node: string
      argument: string
      expected: 'position' | 'keyword'
      found: 'position' | 'keyword'
    }
  /** Calls without a schema, which SubgraphMatcher compares by position. */
  | { kind: 'positional-count'; node: string; expected: number; found: number }
  | {
      kind: 'passed-on-one-side'
      node: string
      argument: string
      value: string
      side: 'pattern' | 'graph'
      positional: { pattern: number; graph: number }
      /** The schema's default, null if it has none. */
      default: string | null
      /** True if the value is the default, which the other side's trace dropped. */
      isDefault: boolean
    }
  | { kind: 'operand-order'; node: string; graphFirst: GraphValue; patternFirst: GraphValue | { term: string } }
  /** A branch of a higher-order operator, which PyTorch compares by identity. */
  | { kind: 'branch-module'; node: string; operators: readonly string[] }
  | { kind: 'tensor-constant'; node: string; expected: string; found: string | null }
  | { kind: 'item-index'; node: string; expected: string; found: string }
  | { kind: 'item-for-none'; node: string; argument: string; item: string; index: string }
  /** `subgraph`: SubgraphMatcher, which has no stages. */
  | { kind: 'constant'; node: string; argument: string; expected: string; found: string; stage: Phase | 'subgraph' }
  | { kind: 'node-for-constant'; node: string; argument: string; expected: string; found: string }
  | { kind: 'constant-for-node'; expected: PatternTerm | 'tensor-constant'; found: string }
  | { kind: 'symbolic-argument'; node: string; argument: string; expected: string; size: string }
  | { kind: 'literal-size'; found: string }
  | { kind: 'size-for-node'; node: string; expected: PatternTerm }
  /** `oneExample`: other arguments with the same example tensor, which the trace cannot distinguish */
  | { kind: 'argument-differs'; argument: string; first: GraphValue; second: GraphValue; oneExample?: string[] }
  /** SubgraphMatcher: two arguments, or an argument (`other` null) and a value of the pattern, are one value in the graph. */
  | { kind: 'one-value'; argument: string; other: string | null; value: GraphValue }
  | { kind: 'scalar-differs'; argument: string; first: GraphValue; second: GraphValue }
  | { kind: 'exclusive-arguments'; first: string; second: string; value: GraphValue }
  | { kind: 'value-differs'; term: PatternTerm; first: string; second: string }
  /** Both values are in the match. */
  | { kind: 'other-value'; node: string; argument: string; expected: string; found: string }

export type StructureReason =
  /** `equal`: a call of the graph with the same arguments, whose item the graph takes. */
  | { kind: 'item-unused'; item: string; operator: string; node: string; equal?: string }
  | { kind: 'output-missing'; position: number; expected: PatternTerm }
  | { kind: 'shared-value'; node: string; expected: number; found: number }
  | {
      kind: 'escaping-value'
      node: string
      /** Users outside the match. One without an operator is an argument or the graph's output. */
      users: ({ node: string; operator?: string } | 'output')[]
      dead: string[]
    }
  | {
      kind: 'graph-level'
      /** `torch`: Dynamo's functions and methods; `aten`: operators that tracing decomposes. */
      level: 'torch' | 'aten'
      /** False: nothing in the graph shows that Dynamo recorded it; symbolic_trace records the same calls. Absent in old reports. */
      dynamo?: boolean
      calls: { target: string; times: number; node: string }[]
      /** Patterns that did not fire. */
      patterns: number
    }
  /** A SubgraphMatcher pattern with torch functions, and a graph with ATen operators. */
  | { kind: 'pattern-level'; pattern: string; calls: string[]; found: string; node: string }
  | { kind: 'unrelated-outputs'; pattern: string; operator: string }
  /** The graph contains the replacement function's nodes, at `node`, but not the search function's. */
  | { kind: 'swapped-functions'; pattern: string; node: string; call: string }
  /**
   * `close`: an operator of the graph with a similar name. `undeclared`: the declaration that the root needs; `constant`: the
   * pattern computes with a tensor created by torch.tensor.
   */
  | {
      kind: 'root-absent'
      pattern: string
      roots: string[]
      others: number
      close?: string
      undeclared?: string
      constant?: true
    }
  | { kind: 'not-tried-at'; node: string; roots: string[]; found: { operator: string } | { op: string } }
  | {
      kind: 'not-at-root'
      pattern: string
      node: string
      roots: string[]
      found: { operator: string } | { op: string }
      isItem: boolean
    }

/** Most layers match, and one differs from them. */
interface UnlikeLayers {
  kind: 'unlike-layers'
  layers: string
  matching: number
  of: number
  /** True if the others match only if the shapes that the graph lacks allow it. */
  unshaped: boolean
  /** Counted from 0. */
  instance: number
  /** Completes "layer 17 …". */
  what: string
  /** Nodes that `what` may name. */
  nodes: readonly string[]
}

export type PassReason =
  | { kind: 'mutation-barrier'; writers: (NodeCall & { out: boolean })[]; from: string; to: string }
  | { kind: 'mutation-regions' }
  | { kind: 'stream-barrier'; first: { node: string; place: string }; other: { node: string; place: string } }
  | { kind: 'streams' }
  /** `needs`: nodes whose shape decides; `inputs`: the nodes without a shape that determine these. */
  | { kind: 'unknown-shape'; node: string; needs: string[]; inputs: string[] }
  | { kind: 'dropped'; node: string; drop: DropReason }
  | {
      kind: 'extra-check-false'
      node: string
      pattern: string
      /** Absent in old reports: `extra_check`. */
      check?: 'extra_check' | 'match filter'
      /** It returned None. */
      none?: true
      /** The decisive key of node.meta with its values; null if the check read none. */
      read: { key: string; values: { value: string | null; nodes: string[] }[] } | null
      /** The user's line that created the node whose value `read` lacks, in this run. */
      madeAt?: SourcePlace
      returned?: RefusingReturn
      stubs?: readonly StubDecision[]
    }
  | { kind: 'extra-check-raised'; node: string; pattern: string; error: string }
  | { kind: 'replacement-raised'; node: string | null; pattern: string | null; error: string }
  | { kind: 'retrace-escaped'; node: string | null; pattern: string | null; error: string }
  | { kind: 'unused-argument'; argument: string | null; pattern: string | null; error: string }
  | { kind: 'retrace-failed'; drop: DropReason }
  | { kind: 'example-inputs'; inputs: InputDifference[]; added: string[]; dropped: string[] }
  | { kind: 'taken'; by: { pattern: string; node: string } | null; node: string }
  | UnlikeLayers
  | { kind: 'duplicate-pattern'; at: SourcePlace | null }
  | { kind: 'no-operator'; at: SourcePlace | null }
  /** `output`: its position. */
  | { kind: 'none-output'; output: number | null; at: SourcePlace | null }
  /** Python raised after a call of an operator whose schema was guessed. */
  | { kind: 'guessed-schema'; error: string; guessed: GuessedSchema }
  /** `stubs`: answers that decided which code ran while the files were loaded; absent if none. */
  /** `misplaced`: a missing module from which the code imports the matcher's names. */
  | { kind: 'no-pass'; stubs?: readonly StubDecision[]; misplaced?: string }
  /** `unwritten`: no file names a function that registers patterns. */
  | { kind: 'empty-pass'; pass: string; stubs?: readonly StubDecision[]; unwritten?: true }
  /** PyTorch's own first mismatch, for anchors where the alignment found nothing. */
  | { kind: 'first-mismatch'; attempts: number; phase: Phase; mismatch: Mismatch | null; text: string }
  | { kind: 'matcher-text'; node: string; mismatch: Mismatch | null; text: string }
  | { kind: 'furthest-attempt'; node: string; mismatch: Mismatch | null; text: string }

/** The difference between an example input and the graph's value. */
export type InputDifference =
  | { argument: string; what: 'dtype'; example: string; graph: string }
  | { argument: string; what: 'rank'; example: number; graph: number }

export type Reason = OperatorReason | ArgumentReason | StructureReason | PassReason
