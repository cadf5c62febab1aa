/** Maps nodes to the match that added or removed them; built only when an invariant is violated. */
import type { Node } from '../../fx'
import type { AppliedMatch } from '../../matcher'

export class Blame {
  private byAdded: Map<string, number> | null = null
  private byNew: Map<string, number> | null = null
  private byOld: Map<string, number> | null = null

  constructor(private readonly matches: readonly AppliedMatch[]) {}

  /**
   * True if a node comes from a traced replacement and none of its inputs was replaced later: its metadata is then the
   * trace's result for its current inputs.
   */
  isAsTraced(node: Node): boolean {
    const by = this.ofAdded(node.name)
    return by !== null && node.inputs().every((n) => (this.ofAdded(n.name) ?? by) <= by)
  }

  private ofAdded(name: string): number | null {
    return (this.byAdded ??= this.index((m) => m.added)).get(name) ?? null
  }

  /** Match that added the node, or replaced a matched node with it. */
  ofNew(name: string): number | null {
    return (this.byNew ??= this.index((m) => [...m.replacedBy, ...m.added])).get(name) ?? null
  }

  /** Match that contained the node. */
  ofOld(name: string): number | null {
    return (this.byOld ??= this.index((m) => m.nodes)).get(name) ?? null
  }

  /** The only match of the pass; null if there are several. */
  only(): number | null {
    return this.matches.length === 1 ? 0 : null
  }

  private index(names: (m: AppliedMatch) => readonly (string | null)[]): Map<string, number> {
    const found = new Map<string, number>()
    for (const [i, m] of this.matches.entries()) for (const n of names(m)) if (n !== null) found.set(n, i)
    return found
  }
}
