/** Disjoint sets of nodes. */
import type { Node } from './node'

export class NodeSets {
  private readonly parent: Map<Node, Node>

  constructor(nodes: Iterable<Node>) {
    this.parent = new Map([...nodes].map((n) => [n, n]))
  }

  private root(n: Node): Node {
    let r = n
    while (this.parent.get(r) !== r) r = this.parent.get(r)!
    this.parent.set(n, r)
    return r
  }

  /** Does nothing for a node that is in no set. */
  join(a: Node, b: Node): void {
    if (this.parent.has(a) && this.parent.has(b)) this.parent.set(this.root(a), this.root(b))
  }

  groups(): Node[][] {
    const found = new Map<Node, Node[]>()
    for (const n of this.parent.keys()) {
      const root = this.root(n)
      const group = found.get(root)
      if (group) group.push(n)
      else found.set(root, [n])
    }
    return [...found.values()]
  }
}
