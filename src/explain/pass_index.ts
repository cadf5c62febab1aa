/** Indexes one pass for its explanation: graph nodes by operator, patterns as graphs, matches by replaced node. */
import { wrappedOperator } from '../fx'
import type { AppliedMatch } from '../matcher/observer'
import type { Attempt, Phase } from '../matcher/types'
import { Aligner } from './align/align'
import { GraphIndex } from './align/anchors'
import { makeCause, type Cause } from './causes'
import type { PassToExplain } from './pass'
import { patternGraph, placeholderNames, type PatternGraph } from './align/pattern_graph'
import { writtenPattern } from './align/written_pattern'
import { exampleIds } from '../matcher/registration/example_inputs'

/** A pattern that has a search graph. */
export interface AlignablePattern {
  pattern: PatternGraph
  aligner: Aligner
}

export class PassIndex {
  /** Node → the match that replaced it. */
  readonly takenBy = new Map<string, AppliedMatch>()
  /** Entries with more candidate anchors than were examined. */
  readonly capped = new Set<number>()
  private readonly known = new Map<number, AlignablePattern | null>()

  constructor(
    readonly pass: PassToExplain,
    readonly index = GraphIndex.of(pass.graph),
  ) {
    for (const m of pass.matches) for (const n of m.nodes) this.takenBy.set(n, m)
  }

  alignableOf(entry: number): AlignablePattern | null {
    let known = this.known.get(entry)
    if (known === undefined) {
      const { pattern, stage } = this.patternOf(entry)
      known = pattern && {
        pattern,
        aligner: new Aligner(pattern, {
          schemaOf: this.pass.schemaOf,
          stage,
          index: this.index,
          free: (n) => !this.takenBy.has(n.name),
        }),
      }
      this.known.set(entry, known)
    }
    return known
  }

  /** The stage whose constants are compared: a pattern written by hand has exact ones from the start. */
  private patternOf(entry: number): { pattern: PatternGraph | null; stage: Phase } {
    const { searchGraph, registration } = this.pass.entries[entry]!
    if ('pattern' in registration)
      return { pattern: writtenPattern(registration.pattern, this.index.targets), stage: 'specific' }
    if (!searchGraph && registration.searchFnPattern)
      return { pattern: writtenPattern(registration.searchFnPattern, this.index.targets), stage: 'specific' }
    if (!searchGraph) return { pattern: null, stage: 'initial' }
    const pattern = patternGraph(searchGraph, placeholderNames(searchGraph, registration.argNames), {
      exclusive: registration.exclusiveArgNames,
      workaround: registration.scalarWorkaround,
      exampleIds: exampleIds(registration),
      subgraph: registration.subgraph,
    })
    return { pattern, stage: registration.subgraph ? 'specific' : 'initial' }
  }

  /** Only attempts that failed at the pattern's own operator are relevant. */
  sameOperator({ entry, mismatch }: Attempt): boolean {
    const graph = this.pass.entries[entry]?.searchGraph
    const expected =
      mismatch?.patternNode == null || !graph ? undefined : this.alignableOf(entry)?.pattern.nodes[mismatch.patternNode]
    const found = mismatch?.graphNode == null ? undefined : this.index.byName.get(mismatch.graphNode)
    if (!expected || !found) return true
    return expected.target === found.target && wrappedOperator(expected) === wrappedOperator(found)
  }

  titleOf(entry: number): string {
    const view = this.pass.entries[entry]
    if (!view) return 'another pattern'
    const bindings = Object.entries(view.registration.bindings).slice(0, 4)
    return (
      view.registration.title + (bindings.length > 0 ? ` (${bindings.map(([k, v]) => `${k}=${v}`).join(', ')})` : '')
    )
  }

  /** The cause of a near miss at a node that another match replaced. */
  takenCause(node: string): Cause {
    const by = this.takenBy.get(node)
    const title = by ? this.titleOf(by.entry) : 'another pattern'
    return makeCause({
      reason: { kind: 'taken', node, by: by ? { pattern: title, node: by.node } : null },
      graphNode: node,
      found: title,
    })
  }
}
