/** Maps nodes of a rewrite to the match that made them; built only when an invariant is violated. */
import type { Node } from '../../fx'
import type { AppliedMatch } from '../../matcher'

export class Blame {
  private byAdded: Map<string, number> | null = null
  private byNew: Map<string, number> | null = null
  private byOld: Map<string, number> | null = null

  constructor(private readonly matches: readonly AppliedMatch[]) {}

  /**
   * Whether a node came with a traced replacement, and uses nothing that a later one put in: then its metadata is what
   * the trace gave it for the inputs it has.
   */
  isAsTraced(node: Node): boolean {
    const by = this.ofAdded(node.name)
    return by !== null && node.inputs().every((n) => (this.ofAdded(n.name) ?? by) <= by)
  }

  private ofAdded(name: string): number | null {
    return (this.byAdded ??= this.index((m) => m.added)).get(name) ?? null
  }

  /** The match that added a node, or replaced a matched node by it. */
  ofNew(name: string): number | null {
    return (this.byNew ??= this.index((m) => [...m.replacedBy, ...m.added])).get(name) ?? null
  }

  /** The match that a node belonged to. */
  ofOld(name: string): number | null {
    return (this.byOld ??= this.index((m) => m.nodes)).get(name) ?? null
  }

  /** The match, if there was only one. */
  only(): number | null {
    return this.matches.length === 1 ? 0 : null
  }

  private index(names: (m: AppliedMatch) => readonly (string | null)[]): Map<string, number> {
    const found = new Map<string, number>()
    for (const [i, m] of this.matches.entries()) for (const n of names(m)) if (n !== null) found.set(n, i)
    return found
  }
}
