/** The kinds of causes, and the kind of each fact of a cause, including PyTorch's mismatches and reasons for a dropped match. */
import { packetOf } from '../fx'
import type { DropReason } from '../matcher/reasons/drop_reason'
import type { Mismatch, MismatchKind } from '../matcher/types'
import type { Reason } from './reasons/reason'

/** Earlier kinds explain more: a cause about the whole pattern precedes one about a single value. */
export const ORDER = [
  'not-registered',
  /** The graph was recorded before Inductor's decompositions. */
  'graph-level',
  'duplicate-pattern',
  'unused-argument',
  'replacement-error',
  /** All nodes align, but the graph's text has no shapes to decide the match. */
  'unknown-shape',
  'mutation-barrier',
  'stream-barrier',
  'extra-check',
  'symbolic-shape',
  'retrace-error',
  'example-inputs',
  'functionalization',
  'decomposed',
  'factory',
  'operand-order',
  'inserted-node',
  'missing-node',
  'wrong-overload',
  'getitem-index',
  'wrong-operator',
  'kwarg-conflict',
  'repeated-argument',
  'exclusive-argument',
  'kwarg-order',
  'kwarg-missing',
  'kwarg-extra',
  'arity',
  'structure',
  'output-unused',
  'escaping-intermediate',
  'constant',
  'root-absent',
  'taken',
  /** A difference between the layer and the layers in which the pattern matches. */
  'unlike-layers',
  /** PyTorch's own text, if nothing better is known. */
  'other',
] as const

export type CauseKind = (typeof ORDER)[number]

/** PyTorch's mismatches, for anchors where the alignment finds nothing. */
const MISMATCHES: Readonly<Record<MismatchKind, CauseKind>> = {
  constant_args: 'constant',
  get_attr_mismatch: 'other',
  get_attr_value: 'constant',
  function_mismatch: 'wrong-operator',
  arity: 'arity',
  multiple_users: 'escaping-intermediate',
  kwarg_mismatch: 'kwarg-conflict',
  args_structure: 'structure',
  non_list: 'structure',
  repeated_pattern: 'repeated-argument',
  exclusive_arg: 'exclusive-argument',
  no_anchor: 'output-unused',
  user_match: 'other',
  no_match: 'output-unused',
}

/** A different overload of the same operator is reported as such. */
function ofMismatch({ mismatch: m }: { mismatch: Mismatch | null }): CauseKind {
  if (!m) return 'other'
  const overload =
    m.kind === 'function_mismatch' &&
    m.expected !== null &&
    m.found !== null &&
    packetOf(m.expected) === packetOf(m.found)
  return overload ? 'wrong-overload' : MISMATCHES[m.kind]
}

const DROPS: Readonly<Record<DropReason['kind'], CauseKind>> = {
  'mutation-regions': 'mutation-barrier',
  streams: 'stream-barrier',
  'extra-check': 'extra-check',
  'match-filter': 'extra-check',
  'unknown-shape': 'unknown-shape',
  overlap: 'taken',
  cycle: 'structure',
  'argument-kind': 'retrace-error',
  'integer-requires-grad': 'retrace-error',
  'retrace-raised': 'retrace-error',
  'not-recorded': 'retrace-error',
}

const KINDS: { readonly [K in Reason['kind']]: CauseKind | ((reason: Extract<Reason, { kind: K }>) => CauseKind) } = {
  'other-overload': 'wrong-overload',
  'other-functionalization': 'functionalization',
  'other-factory': 'factory',
  'other-operator': 'wrong-operator',
  'other-call': 'wrong-operator',
  'decomposed-in-graph': 'decomposed',
  'decomposed-in-pattern': 'decomposed',
  inserted: 'inserted-node',
  'inserted-on-one-side': 'inserted-node',
  'cat-with-copy': 'inserted-node',
  missing: 'missing-node',
  'list-length': 'structure',
  'keyword-missing': 'kwarg-missing',
  'keyword-extra': 'kwarg-extra',
  'keyword-order': 'kwarg-order',
  'passed-by': 'arity',
  'positional-count': 'arity',
  'passed-on-one-side': ({ positional: { pattern, graph } }) => (pattern === graph ? 'kwarg-missing' : 'arity'),
  'operand-order': 'operand-order',
  'branch-module': 'constant',
  'tensor-constant': 'constant',
  'item-index': 'getitem-index',
  'item-for-none': 'getitem-index',
  constant: 'constant',
  'node-for-constant': 'constant',
  'constant-for-node': 'constant',
  'symbolic-argument': 'symbolic-shape',
  'literal-size': 'symbolic-shape',
  'size-for-node': 'symbolic-shape',
  'argument-differs': 'repeated-argument',
  'one-value': 'repeated-argument',
  'scalar-differs': 'kwarg-conflict',
  'exclusive-arguments': 'exclusive-argument',
  'value-differs': 'repeated-argument',
  'other-value': 'repeated-argument',
  'item-unused': 'output-unused',
  'output-missing': 'output-unused',
  'shared-value': 'structure',
  'escaping-value': 'escaping-intermediate',
  'graph-level': 'graph-level',
  'pattern-level': 'graph-level',
  'unrelated-outputs': 'structure',
  'swapped-functions': 'structure',
  'root-absent': 'root-absent',
  'not-tried-at': 'wrong-operator',
  'not-at-root': 'wrong-operator',
  'mutation-barrier': 'mutation-barrier',
  'mutation-regions': 'mutation-barrier',
  'stream-barrier': 'stream-barrier',
  streams: 'stream-barrier',
  'unknown-shape': 'unknown-shape',
  dropped: ({ drop }) => DROPS[drop.kind],
  'extra-check-false': 'extra-check',
  'extra-check-raised': 'extra-check',
  'replacement-raised': 'replacement-error',
  'retrace-escaped': 'retrace-error',
  'unused-argument': 'unused-argument',
  'retrace-failed': 'retrace-error',
  'example-inputs': 'example-inputs',
  taken: 'taken',
  'unlike-layers': 'unlike-layers',
  'duplicate-pattern': 'duplicate-pattern',
  'no-operator': 'structure',
  'none-output': 'structure',
  'guessed-schema': 'structure',
  'no-pass': 'not-registered',
  'empty-pass': 'not-registered',
  'first-mismatch': ofMismatch,
  'matcher-text': ofMismatch,
  'furthest-attempt': ofMismatch,
}

/**
 * The members of each kind of cause: facts (`constant`), PyTorch's mismatches (`constant_args`), reasons for a dropped match
 * (`dropped: cycle`).
 */
export const factsOf = (kind: CauseKind): string[] => [
  ...Object.keys(KINDS).filter((fact) => {
    const of = KINDS[fact as Reason['kind']]
    return typeof of === 'string'
      ? of === kind
      : fact === 'passed-on-one-side' && /^(?:arity|kwarg-missing)$/.test(kind)
  }),
  ...Object.keys(MISMATCHES).filter((m) => MISMATCHES[m as MismatchKind] === kind),
  ...Object.keys(DROPS).flatMap((d) => (DROPS[d as DropReason['kind']] === kind ? [`dropped: ${d}`] : [])),
]

export function kindOf(reason: Reason): CauseKind {
  const kind = KINDS[reason.kind] as CauseKind | ((reason: Reason) => CauseKind)
  return typeof kind === 'string' ? kind : kind(reason)
}
