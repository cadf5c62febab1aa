/** Causes: what differs between a pattern and a graph, as typed facts with both sides named, and as a message. */
import { plainText, type Message } from '../base/message'
import type { Node, SourceRef } from '../fx'
import type { Phase } from '../matcher/types'
import type { Fix } from './fixes/types'
import { messageOf } from './reasons/messages'
import type { Reason } from './reasons/reason'

export type CauseKind =
  | 'wrong-operator'
  | 'wrong-overload'
  | 'arity'
  | 'constant'
  | 'kwarg-missing'
  | 'kwarg-extra'
  | 'kwarg-order'
  | 'operand-order'
  | 'structure'
  | 'getitem-index'
  | 'output-unused'
  | 'escaping-intermediate'
  | 'repeated-argument'
  | 'kwarg-conflict'
  | 'inserted-node'
  | 'missing-node'
  | 'decomposed'
  | 'functionalization'
  | 'example-inputs'
  | 'factory'
  | 'symbolic-shape'
  | 'mutation-barrier'
  | 'stream-barrier'
  | 'extra-check'
  | 'retrace-error'
  | 'replacement-error'
  | 'root-absent'
  | 'not-registered'
  | 'duplicate-pattern'
  | 'unused-argument'
  | 'exclusive-argument'
  | 'taken'
  /** PyTorch's own text, where nothing better is known. */
  | 'other'

export interface Cause {
  kind: CauseKind
  /** Index into EntryReport.pattern.nodes, when one pattern node is to blame. */
  patternNode: number | null
  /** The user's line of that pattern node. */
  source: SourceRef | null
  graphNode: string | null
  argument: string | null
  expected: string | null
  found: string | null
  /** The stage that would fail on it, where that is known. */
  stage: Phase | null
  /** The facts; `parts` and `sentence` are made of them. */
  reason: Reason
  /** The message, with the nodes and operators that it names marked. */
  parts: Message
  /** The text of `parts`. */
  sentence: string
  /** A clean-up of the graph would remove it: listed after the causes that would remain. */
  minor?: true
  /** For a cause of a pass: the entry it is about. */
  entry?: number
  /** Fixes that fire and keep the numbers, best first; absent until they have been looked for. */
  fixes?: Fix[]
  /** Changes that fire and change the numbers: not offered. Absent where there is none. */
  tried?: Fix[]
}

/** The facts a cause is made of; those left out are null. */
export interface CauseParts {
  kind: CauseKind
  reason: Reason
  pattern?: Node | null
  graph?: Node | null
  graphNode?: string | null
  argument?: string | null
  expected?: string | null
  found?: string | null
  stage?: Phase | null
  minor?: boolean
  entry?: number
}

export function makeCause(parts: CauseParts, indexOf: (pattern: Node) => number | null = () => null): Cause {
  const { kind, reason, pattern = null, graph = null } = parts
  const message = messageOf(reason)
  return {
    kind,
    patternNode: pattern && indexOf(pattern),
    source: pattern && sourceOf(pattern),
    graphNode: parts.graphNode ?? graph?.name ?? null,
    argument: parts.argument ?? null,
    expected: parts.expected ?? null,
    found: parts.found ?? null,
    stage: parts.stage ?? null,
    reason,
    parts: message,
    sentence: plainText(message),
    ...(parts.minor ? { minor: true as const } : {}),
    ...(parts.entry === undefined ? {} : { entry: parts.entry }),
  }
}

/** The same cause with other facts. */
export function withReason(cause: Cause, reason: Reason): Cause {
  const parts = messageOf(reason)
  return { ...cause, reason, parts, sentence: plainText(parts) }
}

/** The user's line; for an argument, the first line that uses it. */
function sourceOf(node: Node): SourceRef | null {
  if (node.meta.source) return node.meta.source
  for (const user of node.users) if (user.meta.source) return user.meta.source
  return null
}

/** Earlier kinds explain more: a cause about the whole pattern comes before one about a single value. */
const ORDER: readonly CauseKind[] = [
  'not-registered',
  'duplicate-pattern',
  'unused-argument',
  'replacement-error',
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
  'other',
]
const RANK = new Map(ORDER.map((k, i) => [k, i]))

/** Most explanatory first; causes that differ only in their place are merged. */
export function rankCauses(causes: readonly Cause[]): Cause[] {
  const seen = new Set<string>()
  const distinct = causes.filter((c) => {
    const key = [c.kind, c.argument, c.expected, c.found, c.kind === 'functionalization' ? '' : c.patternNode].join(
      '\u0000',
    )
    return !seen.has(key) && seen.add(key)
  })
  return distinct
    .map((c, i) => ({ c, i }))
    .sort(
      (a, b) =>
        Number(a.c.minor ?? false) - Number(b.c.minor ?? false) ||
        RANK.get(a.c.kind)! - RANK.get(b.c.kind)! ||
        a.i - b.i,
    )
    .map(({ c }) => c)
}

/** Equal for causes that 32 layers share. */
export const causesKey = (causes: readonly Cause[]): string =>
  causes.map((c) => [c.kind, c.patternNode, c.argument, bare(c.expected), bare(c.found)].join('\u0000')).join('\u0001')

/** `mul_12` and `mul_31` are one finding in two layers. */
const bare = (text: string | null): string | null => text && text.replace(/\b([A-Za-z]\w*?)_\d+\b/g, '$1')
