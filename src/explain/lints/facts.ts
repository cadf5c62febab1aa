/** Facts shared by all lints, and the folding of equal lints. */
import type { Graph, Node } from '../../fx'
import type { AppliedMatch } from '../../matcher/observer'
import type { EntryView } from '../../matcher/registry'
import type { GuessedSchema, SchemaLookup } from '../../matcher/schema_facts'
import type { PassToExplain } from '../pass'
import type { Lint } from './types'

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
  /** The search function of a pretraced pattern, traced with the values of a match as PyTorch does not. */
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

/** Collects lints and counts equal ones of several matches instead of repeating them. */
export class Folded {
  private readonly found = new Map<string, Lint>()

  add(key: string, make: () => Omit<Lint, 'times'>): void {
    const seen = this.found.get(key)
    if (seen) seen.times++
    else this.found.set(key, { ...make(), times: 1 })
  }

  all(): Lint[] {
    return [...this.found.values()]
  }
}

/** Appended to a message if the extra_check may cover it. */
export const unlessChecked = ({ registration }: EntryView): string =>
  registration.extraCheck === null ? '' : '; whether the extra_check checks it is unknown'
