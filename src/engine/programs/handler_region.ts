/**
 * The part of a graph that a handler of register_graph_pattern changes. A handler edits the graph freely, so the part is derived
 * from the graphs before and after the pass: values that a kept node now reads in place of others, and nodes that the handler
 * changed in place.
 */
import { isCall, visitNodes, type Graph, type Node } from '../../fx'
import { writesTo } from '../../gpu/lower/values_kept'
import { argumentsNow, swapsOf } from '../invariants/changes'
import type { OperatorBodies } from './operator_bodies'
import { runNode, type Region, type Rewrite, type RewrittenMatch } from './program'

/** Maximum number of nodes above a region's inputs that are added to it. */
const MAX_ABOVE = 48

/** A kept node reads `is` now where it read `was` before; for a node changed in place, both are the node itself. */
type Pair = readonly [was: Node, is: Node]

/** The differences of a pass between its graphs. */
export interface GraphEdits {
  pairs: readonly Pair[]
  /** Kept nodes with another target, or arguments of another structure; nodes of the graph before. */
  changed: ReadonlySet<Node>
  /** Node of the graph after that existed before → that node. */
  kept: ReadonlyMap<Node, Node>
  byName: ReadonlyMap<string, Node>
  byNameAfter: ReadonlyMap<string, Node>
}

const cache = new WeakMap<Rewrite, GraphEdits>()

export function editsOf(rewrite: Rewrite): GraphEdits {
  let edits = cache.get(rewrite)
  if (!edits) cache.set(rewrite, (edits = findEdits(rewrite)))
  return edits
}

function findEdits({ before, after, copies }: Rewrite): GraphEdits {
  const pairs: Pair[] = []
  const changed = new Set<Node>()
  const kept = new Map<Node, Node>()
  for (const node of before.nodes()) {
    const copy = copies.get(node)
    if (copy && !copy.erased) kept.set(copy, node)
  }
  for (const [copy, node] of kept) {
    const swaps = swapsOf(argumentsNow(node), argumentsNow(copy))
    const moved = swaps?.filter(([was, is]) => copies.get(was) !== is)
    if (moved && node.target === copy.target && moved.every(([, is]) => isNode(is)))
      pairs.push(...moved.map(([was, is]) => [was, is as Node] as const))
    else if (node.op !== 'output') {
      changed.add(node)
      pairs.push([node, copy])
    } else pairs.push(...outputPairs(node, copy).filter(([was, is]) => copies.get(was) !== is))
  }
  return { pairs, changed, kept, byName: named(before), byNameAfter: named(after) }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'users' in value

const named = (graph: Graph): Map<string, Node> => new Map([...graph.nodes()].map((n) => [n.name, n]))

/** The returned values by position; empty if the numbers differ. */
function outputPairs(node: Node, copy: Node): Pair[] {
  const [was, is] = [node, copy].map((output) => {
    const values: Node[] = []
    for (const arg of output.args) visitNodes(arg, (n) => values.push(n))
    return values
  }) as [Node[], Node[]]
  return was.length === is.length ? was.map((n, i) => [n, is[i]!] as const) : []
}

/**
 * The region of a match that a handler edited; null if the handler changed nothing that the rest of the graph reads. Its
 * inputs are independent of one another.
 */
export function handlerRegion(
  rewrite: Rewrite,
  match: RewrittenMatch,
  bodies: OperatorBodies | null = null,
): HandlerRegion | null {
  const region = new HandlerRegion(rewrite, match, bodies)
  return region.pairs.length > 0 ? region : null
}

export class HandlerRegion {
  readonly pairs: readonly Pair[]
  private readonly edits: GraphEdits
  private readonly matched: readonly Node[]
  private readonly made: readonly Node[]
  /**
   * Outputs of the pass's replacements, by the nodes that replaced them: these count as inputs, because those matches are compared
   * separately.
   */
  private readonly replaced: ReadonlyMap<Node, Node>
  /** Kept nodes that both sides compute; nodes of the graph before. */
  private readonly inside: Set<Node>

  constructor(
    private readonly rewrite: Rewrite,
    match: RewrittenMatch,
    private readonly bodies: OperatorBodies | null,
  ) {
    const edits = (this.edits = editsOf(rewrite))
    this.matched = match.nodes.flatMap((name) => edits.byName.get(name) ?? [])
    this.made = (match.made ?? []).flatMap((name) => edits.byNameAfter.get(name) ?? [])
    this.replaced = replacedOutputs(rewrite, edits)
    this.pairs = [...edits.pairs.filter((p) => this.isOwn(p)), ...this.writtenBuffers()]
    this.inside = new Set([...this.matched, ...edits.changed, ...this.pairs.map(([was]) => was)].filter(isCall))
  }

  region(): Region {
    const before = new Set<Node>()
    const after = new Set<Node>()
    for (const [was, is] of this.pairs) {
      collect(was, before, (n) => this.isComputedBefore(n))
      collect(is, after, (n) => this.isComputedAfter(n))
    }
    for (const n of this.matched) if (this.writes(n).length > 0) collect(n, before, (m) => this.isComputedBefore(m))
    for (const n of this.made) if (this.writes(n).length > 0) collect(n, after, (m) => this.isComputedAfter(m))
    return {
      before: names(before),
      after: names(after),
      outputs: distinct(this.pairs.map((p) => p.map((n) => n.name) as [string, string])),
    }
  }

  /**
   * The region with the nodes above its inputs, nearest first: a handler may rely on relations between inputs, such as
   * two slices of one tensor. Null if all inputs are inputs of the graph.
   */
  widened(): Region | null {
    const region = this.region()
    const { byName } = this.edits
    let level = new Set(
      [...region.before].flatMap((name) =>
        byName
          .get(name)!
          .inputs()
          .filter((n) => !region.before.has(n.name)),
      ),
    )
    for (const name of this.outsideInputs(region)) level.add(name)
    let left = MAX_ABOVE
    while (level.size > 0 && left > 0) {
      const above = new Set<Node>()
      for (const n of level)
        if (isCall(n) && !this.inside.has(n) && left-- > 0) {
          this.inside.add(n)
          for (const input of n.inputs()) above.add(input)
        }
      level = above
    }
    return left === MAX_ABOVE ? null : this.region()
  }

  /** Nodes of the graph before that only the side after uses as inputs. */
  private outsideInputs({ after }: Region): Node[] {
    const { byNameAfter, kept } = this.edits
    return [...after].flatMap((name) =>
      byNameAfter
        .get(name)!
        .inputs()
        .flatMap((n) => (after.has(n.name) ? [] : (kept.get(n) ?? []))),
    )
  }

  /** Names of inputs that exist only after the pass, such as a constant that the handler added. */
  newInputs({ after, outputs }: Region): string[] {
    const { byNameAfter, kept } = this.edits
    const replacing = new Set(this.replaced.values())
    const used = new Set<Node>(outputs.map(([, is]) => byNameAfter.get(is)!))
    for (const name of after) for (const n of byNameAfter.get(name)!.inputs()) used.add(n)
    return [...used].filter((n) => !after.has(n.name) && !kept.has(n) && !replacing.has(n)).map((n) => n.name)
  }

  private isOwn([was, is]: Pair): boolean {
    if (this.replaced.get(was) === is) return false
    const own = (n: Node, nodes: readonly Node[]): boolean => nodes.includes(n)
    if (own(was, this.matched) || own(is, this.made)) return true
    // A node outside the match that the handler changed in place, and that reads or read a node of the match.
    return (
      this.edits.changed.has(was) &&
      (was.inputs().some((n) => own(n, this.matched)) || is.inputs().some((n) => own(n, this.made)))
    )
  }

  /** Kept tensors that a call of the match or of the handler writes: their contents are compared. */
  private writtenBuffers(): Pair[] {
    const { byName, byNameAfter, kept } = this.edits
    const copies = this.rewrite.copies
    const written = [
      ...this.matched.flatMap(this.writes).flatMap((name) => byName.get(name) ?? []),
      ...this.made.flatMap(this.writes).flatMap((name) => kept.get(byNameAfter.get(name)!) ?? []),
    ]
    return [...new Set(written)].flatMap((was) => {
      const is = copies.get(was)
      return is && !is.erased ? [[was, is] as const] : []
    })
  }

  private readonly writes = (node: Node): string[] => (isCall(node) ? writesTo(runNode(node, this.bodies)) : [])

  private isComputedBefore(n: Node): boolean {
    if (!isCall(n) || this.replaced.has(n)) return false
    return this.inside.has(n) || this.rewrite.copies.get(n)?.erased !== false || !isTensor(n)
  }

  private isComputedAfter(n: Node): boolean {
    const was = this.edits.kept.get(n)
    if (!isCall(n) || (!was && [...this.replaced.values()].includes(n))) return false
    return was === undefined || this.inside.has(was) || !isTensor(n)
  }
}

function replacedOutputs({ matches }: Rewrite, { byName, byNameAfter }: GraphEdits): Map<Node, Node> {
  const replaced = new Map<Node, Node>()
  for (const { outputs, replacedBy } of matches)
    outputs.forEach((name, i) => {
      const was = byName.get(name ?? '')
      const is = byNameAfter.get(replacedBy[i] ?? '')
      if (was && is) replaced.set(was, is)
    })
  return replaced
}

function collect(start: Node, into: Set<Node>, isComputed: (n: Node) => boolean): void {
  const open = [start]
  for (let n = open.pop(); n; n = open.pop()) {
    if (into.has(n) || !isComputed(n)) continue
    into.add(n)
    open.push(...n.inputs())
  }
}

/** Sizes and tuples are computed inside, because a program's inputs are tensors. */
const isTensor = ({ meta }: Node): boolean => meta.val === undefined || meta.val.kind === 'tensor'

const names = (nodes: ReadonlySet<Node>): Set<string> => new Set([...nodes].map((n) => n.name))

function distinct(pairs: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  const seen = new Map(pairs.map((p) => [p.join('\u0000'), p]))
  return [...seen.values()]
}
