/** Finds the graph nodes of a pattern's outputs after the first. */
import { Node, isGetitem, operatorOf, type Arg } from '../../fx'
import { pyEqual, pyRepr } from '../../matcher/py'
import type { Progress } from './alignment'
import { short, termOf } from '../reasons/node_terms'
import { isPlainCopy } from '../reasons/operators'
import { computed } from '../repeatable'
import { coneOf } from './pattern_graph'
import type { Similarity } from './similarity'

/** Maximum number of candidate nodes per output, nearest to the anchor first. */
const NEAREST = 24

/**
 * Returns the candidate most similar to the output, and among equals the nearest. It must share the same values with the match as
 * the pattern's output. Null if there is none.
 */
export function nodeOfOutput(at: Progress, output: Node, places: readonly Node[], similarity: Similarity): Node | null {
  const cone = coneOf(output)
  const shared = cone.filter((p) => at.pairs.has(p)).map((p) => at.pairs.get(p)!)
  const inputs = cone
    .filter((p) => p.op === 'placeholder')
    .map((p) => at.bound.get(at.nameOf(p)))
    .filter((g) => g instanceof Node)
  let best: { node: Node; value: number } | null = null
  const size = at.pattern.sizeOf(output)
  for (const node of new Set([...beside(at, output), ...nearest(at, places)])) {
    if (at.inside.has(node)) continue
    const value = similarity.value(output, node)
    if (value + 1 < size * 0.4 || value <= (best?.value ?? 0) - 1) continue
    const under = new Set(coneOf(node, 120))
    if (shared.length > 0 && !shared.some((g) => under.has(g))) continue
    const bonus = inputs.length > 0 && inputs.every((g) => under.has(g)) ? 1 : 0
    if (value > 0 && value + bonus >= size * 0.4 && value + bonus > (best?.value ?? 0))
      best = { node, value: value + bonus }
  }
  return best?.node ?? sameInputs(at, output)
}

/** Users of the graph nodes paired with the output's inputs; another match may have replaced the output itself. */
function beside(at: Progress, output: Node): Node[] {
  const partners = output.inputs().flatMap((p) => at.pairs.get(p) ?? [])
  return partners.flatMap((g) => [...g.users].filter((u) => u.op !== 'output').slice(0, NEAREST))
}

function nearest({ anchor }: Progress, places: readonly Node[]): readonly Node[] {
  const from = (n: Node): number => Math.abs(n.sortKey - anchor.sortKey)
  return [...places].sort((a, b) => from(a) - from(b)).slice(0, NEAREST)
}

/** Finds a node with another operator and the same inputs as the output, or plain copies of them. */
function sameInputs(at: Progress, output: Node): Node | null {
  const partners = output.inputs().map((p) => (p.op === 'placeholder' ? at.bound.get(at.nameOf(p)) : at.pairs.get(p)))
  const first = partners[0]
  if (!(first instanceof Node) || (partners.length < 2 && output.args.length < 2)) return null
  const users = [...first.users].flatMap((u) => (isPlainCopy(u) ? [...u.users] : [u]))
  return (
    users.find((u) => {
      const theirs = u.inputs()
      return (
        !at.inside.has(u) &&
        theirs.length === partners.length &&
        theirs.every((g, i) => g === partners[i] || (isPlainCopy(g) && g.inputs()[0] === partners[i])) &&
        u.args.length === output.args.length
      )
    }) ?? null
  )
}

export function reportUnusedOutput(at: Progress, output: Node): void {
  at.unusedOutputs++
  at.seen.set(output, output)
  const producer = isGetitem(output) ? at.pairs.get(output.inputs()[0]!) : undefined
  const equal = producer && equalCall(producer, output.args[1])
  const position = at.pattern.outputs.indexOf(output)
  at.addCause({
    reason: producer
      ? {
          kind: 'item-unused',
          item: pyRepr(output.args[1] ?? null),
          operator: operatorOf(output.inputs()[0]!),
          node: producer.name,
          ...(equal && { equal: equal.name }),
        }
      : { kind: 'output-missing', position, expected: termOf(output) },
    pattern: output,
    graph: producer ?? null,
    argument: String(position),
    expected: short(output),
    found: equal?.name ?? 'nothing',
  })
}

/** Another call with the arguments of `producer`, from which the graph takes item `index`. */
function equalCall(producer: Node, index: Arg | undefined): Node | undefined {
  const takes = (n: Node): boolean =>
    [...n.users].some((u) => isGetitem(u) && pyEqual(u.args[1] ?? null, index ?? null))
  const key = computed(producer)
  const equal = (n: Node): boolean => key !== null && computed(n) === key
  return [...(producer.inputs()[0]?.users ?? [])].find((n) => n !== producer && takes(n) && equal(n))
}
