/** Causes: the differences between a pattern and a graph, as typed facts about both sides with a message. */
import { message, plainText, type Message } from '../base/message'
import type { Node, SourceRef } from '../fx'
import type { Phase, StubDecision } from '../matcher/types'
import type { Fix } from './fixes/types'
import { kindOf, ORDER, type CauseKind } from './kinds'
import { messageOf } from './reasons/messages'
import type { Reason } from './reasons/reason'
import { guessedClause, versionsClause, type VersionsDiffer } from './reasons/schema_messages'
import type { GuessedSchema } from '../matcher/schema_facts'
import { stubsClause } from './reasons/stub_messages'

export type { CauseKind }

export interface Cause {
  kind: CauseKind
  /** Index into EntryReport.pattern.nodes, if one pattern node is responsible. */
  patternNode: number | null
  /** The source line of that pattern node. */
  source: SourceRef | null
  graphNode: string | null
  argument: string | null
  expected: string | null
  found: string | null
  /** The stage that would fail because of it, if known. */
  stage: Phase | null
  /** The facts from which `parts` and `sentence` are generated. */
  reason: Reason
  /** The message, with the nodes and operators it names marked. */
  parts: Message
  /** `parts` as plain text. */
  sentence: string
  /** Answers of stubs that the cause rests on; absent if none. */
  stubs?: readonly StubDecision[]
  /** Set if graph and pattern call the operator with the schemas of different releases. */
  versions?: VersionsDiffer
  /** Set if the operator has no schema, so that the cause rests on a guessed one. */
  guessed?: GuessedSchema
  /** True if a clean-up of the graph would remove it: listed after the other causes. */
  minor?: true
  /** For a cause of a pass: the entry it concerns. */
  entry?: number
  /** Fixes that fire and preserve the values, best first; absent until the search ran. */
  fixes?: Fix[]
  /** Changes that fire but change the values, and are therefore not offered. Absent if there are none. */
  tried?: Fix[]
}

/** The facts of a new cause. Omitted argument, expected and found default to the reason's texts; other omitted facts to null. */
export interface CauseParts {
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
  const { reason, pattern = null, graph = null } = parts
  const message = messageOf(reason)
  const told = (fact: 'argument' | 'expected' | 'found'): string | null => {
    const text = parts[fact] ?? (reason as Partial<Record<typeof fact, unknown>>)[fact]
    return typeof text === 'string' ? text : null
  }
  return {
    kind: kindOf(reason),
    patternNode: pattern && indexOf(pattern),
    source: pattern && sourceOf(pattern),
    graphNode: parts.graphNode ?? graph?.name ?? null,
    argument: told('argument'),
    expected: told('expected'),
    found: told('found'),
    stage: parts.stage ?? null,
    reason,
    ...stubsOf(reason),
    parts: message,
    sentence: plainText(message),
    ...(parts.minor ? { minor: true as const } : {}),
    ...(parts.entry === undefined ? {} : { entry: parts.entry }),
  }
}

/** The same cause with other facts. */
export function withReason(cause: Cause, reason: Reason): Cause {
  const parts = messageOf(reason)
  return { ...cause, reason, ...stubsOf(reason), parts, sentence: plainText(parts) }
}

/** The same cause with facts about its operator's schema, and their text after the message. */
export function withSchemaFacts(cause: Cause, facts: Pick<Cause, 'versions' | 'guessed'>): Cause {
  const { versions, guessed } = facts
  const parts = message`${cause.parts}${versions ? versionsClause(versions) : ''}${guessed ? guessedClause(guessed) : ''}`
  return { ...cause, ...facts, parts, sentence: plainText(parts) }
}

/** The same cause, which also rests on these answers of stubs. */
export function restsOn(cause: Cause, stubs: readonly StubDecision[]): Cause {
  const known = new Set((cause.stubs ?? []).map(placeOf))
  const others = stubs.filter((s) => !known.has(placeOf(s)))
  if (others.length === 0) return cause
  const parts = message`${cause.parts}${stubsClause(others)}`
  return { ...cause, stubs: [...(cause.stubs ?? []), ...others], parts, sentence: plainText(parts) }
}

const placeOf = ({ module, asked, source }: StubDecision): string =>
  [module, asked, source?.file, source?.line].join('\u0000')

const stubsOf = (reason: Reason): Pick<Cause, 'stubs'> =>
  'stubs' in reason && reason.stubs && reason.stubs.length > 0 ? { stubs: reason.stubs } : {}

/** The source line; for an argument, the first line that uses it. */
function sourceOf(node: Node): SourceRef | null {
  if (node.meta.source) return node.meta.source
  for (const user of node.users) if (user.meta.source) return user.meta.source
  return null
}

const RANK = new Map<CauseKind, number>(ORDER.map((k, i) => [k, i]))

/** Ranks the most explanatory first and merges causes that differ only in their location. */
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

/** A key that is equal for the same cause in different layers. */
export const causesKey = (causes: readonly Cause[]): string =>
  causes.map((c) => [c.kind, c.patternNode, c.argument, bare(c.expected), bare(c.found)].join('\u0000')).join('\u0001')

/** `mul_12` and `mul_31` name the same finding in two layers. */
const bare = (text: string | null): string | null => text && text.replace(/\b([A-Za-z]\w*?)_\d+\b/g, '$1')
