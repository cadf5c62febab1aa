/** Facts shared by all lints, and the folding of equal findings. */
import { worded, type Message } from '../../base/message'
import type { Graph, Node, SourceRef } from '../../fx'
import type { AppliedMatch } from '../../matcher/observer'
import type { EntryView } from '../../matcher/registry'
import type { GuessedSchema, SchemaLookup } from '../../matcher/schema_facts'
import type { PassToExplain } from '../pass'
import type { Lint, LintKind } from './types'

export interface LintInput {
  entries: readonly EntryView[]
  matches: readonly AppliedMatch[]
  /** The graph before and after the pass. */
  before: Graph
  after: Graph
  /** By entry: the replacement traced with the example inputs; null if tracing failed. */
  replacements: readonly (Graph | null)[]
  schemaOf: SchemaLookup
  /** Guessed schemas of operators that nobody declared, by target. */
  guesses?(): ReadonlyMap<string, GuessedSchema>
  /** The search function of a pretraced pattern, traced with the values of a match; PyTorch does not trace it. */
  untaken?: PassToExplain['untaken']
}

/** The input, with look-ups shared by the lints. */
export interface LintFacts extends LintInput {
  /** Entries that fired, in order. */
  fired: readonly EntryView[]
  matchesOf(entry: number): readonly AppliedMatch[]
  before: Graph
  nodeBefore(name: string): Node | undefined
  nodeAfter(name: string): Node | undefined
  /** Nodes of an entry's search graph except the output, numbered like AppliedMatch.map. */
  patternNodes(entry: number): readonly Node[]
}

/** Computes the facts of a pass once for all lints. */
export function factsOf(input: LintInput): LintFacts {
  const byEntry = new Map<number, AppliedMatch[]>()
  for (const m of input.matches) {
    const list = byEntry.get(m.entry)
    if (list) list.push(m)
    else byEntry.set(m.entry, [m])
  }
  const before = new Map([...input.before.nodes()].map((n) => [n.name, n]))
  const after = new Map([...input.after.nodes()].map((n) => [n.name, n]))
  const patterns = new Map<number, readonly Node[]>()
  return {
    ...input,
    fired: input.entries.filter((e) => byEntry.has(e.index)),
    matchesOf: (entry) => byEntry.get(entry) ?? [],
    nodeBefore: (name) => before.get(name),
    nodeAfter: (name) => after.get(name),
    patternNodes(entry) {
      let nodes = patterns.get(entry)
      if (!nodes) {
        const graph = input.entries[entry]?.searchGraph
        patterns.set(entry, (nodes = graph ? [...graph.nodes()].filter((n) => n.op !== 'output') : []))
      }
      return nodes
    },
  }
}

/** A lint's finding at one match, or about an entry. */
export interface Finding {
  kind: LintKind
  entry: EntryView
  /** Key of equal findings at several matches, which become one lint; absent for a finding that every match of the entry has. */
  key?: string
  /** Number of matches with the finding, if it has no key; default: all matches of the entry. */
  times?: number
  /** Default: the node of the entry's first match. */
  graphNode?: string | null | undefined
  argument?: string | undefined
  literal?: Lint['literal']
  /** Default: the registration's source line. */
  source?: SourceRef | undefined
  text: Message
}

/** Counts equal findings of several matches instead of repeating them. */
export function folded(found: Iterable<Finding>, facts: LintFacts): Lint[] {
  const lints = new Map<string, Lint>()
  for (const { kind, entry, key, graphNode, times, argument = null, literal, source, text } of found) {
    const matches = facts.matchesOf(entry.index)
    const id = key === undefined ? `#${lints.size}` : `${entry.index} ${kind} ${key}`
    const seen = lints.get(id)
    if (seen) seen.times++
    else
      lints.set(id, {
        kind,
        entry: entry.index,
        times: key === undefined ? (times ?? matches.length) : 1,
        graphNode: graphNode === undefined ? (matches[0]?.node ?? null) : graphNode,
        argument,
        ...(literal && { literal }),
        source: source ?? entry.registration.source,
        ...worded(text),
      })
  }
  return [...lints.values()]
}

/** The nodes of an entry's pattern with the nodes that they matched, match by match. */
export function* matchedNodes(facts: LintFacts, entry: EntryView): Generator<{ at: number; p: Node; g: Node }> {
  const nodes = facts.patternNodes(entry.index)
  for (const match of facts.matchesOf(entry.index))
    for (const [at, name] of match.map) {
      const [p, g] = [nodes[at], facts.nodeBefore(name)]
      if (p && g) yield { at, p, g }
    }
}

/** Appended to a message if the extra_check may cover it. */
export const unlessChecked = ({ registration }: EntryView): string =>
  registration.extraCheck === null ? '' : '; whether the extra_check checks it is unknown'
