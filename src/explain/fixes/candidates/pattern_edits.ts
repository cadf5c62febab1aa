/** Edits of the traced pattern, for changes that have no single place in the user's code. */
import { Node, type Arg, type Graph } from '../../../fx'
import { mapArgs } from '../../../fx'
import { addedOf, chainTo } from './wrap'
import type { PatternEdit } from '../trials'
import type { CauseSite } from './types'

export interface PatternCandidate {
  title: string
  edit: PatternEdit
}

/** Makes a node of the traced pattern equal to the graph's. */
export function patternAsGraph({ cause, site, pattern, graph }: CauseSite): PatternCandidate[] {
  if (cause.kind === 'structure' && cause.argument === null) return []
  if (!pattern || !graph || graph.op !== 'call_function' || pattern.op !== 'call_function') return []
  const names = new Map<Node, string>()
  const inputs = graph.inputs()
  const mine = pattern.inputs()
  for (const [i, g] of inputs.entries()) {
    const known = site.patternNodesFor(g)
    const q = known.find((p) => mine.includes(p)) ?? known[0] ?? (mine.length === inputs.length ? mine[i] : undefined)
    if (!q) return []
    names.set(g, q.name)
  }
  const edit: PatternEdit = (g) => {
    const node = g.find(pattern.name)
    if (!node || ![...names.values()].every((n) => g.find(n)?.isBefore(node))) return false
    const [args, kwargs] = mapArgs(graph.args, graph.kwargs, (n): Arg => g.find(names.get(n) ?? '') ?? n)
    node.target = graph.target
    node.setArgs(args, kwargs)
    return true
  }
  return [{ title: `Make ${pattern.name} of the traced pattern equal to ${graph.name} of the graph`, edit }]
}

export function patternSwap({ pattern }: CauseSite): PatternCandidate[] {
  if (!pattern) return []
  const edit: PatternEdit = (g) => {
    const node = g.find(pattern.name)
    if (!node || node.args.length < 2) return false
    const [a, b, ...rest] = node.args
    node.args = [b!, a!, ...rest]
    return true
  }
  return [{ title: `Swap the operands of ${pattern.name} in the traced pattern`, edit }]
}

/** Inserts the graph's nodes between a value of the pattern and all of its uses, or one of them. */
export function patternInsert({ site, pattern, graph }: CauseSite): PatternCandidate[] {
  if (!pattern || !graph) return []
  const chain = chainTo(graph, site.partner(pattern))
  const users = [...pattern.users].map((u) => u.name)
  const under = chain
    .at(-1)
    ?.inputs()
    .find((n) => !chain.includes(n))
  if (chain.length === 0 || !under) return []
  const others = new Map<Node, string>()
  for (const n of chain.flatMap((c) => c.inputs()))
    if (n !== under && !chain.includes(n)) {
      const known = site.patternNodesFor(n)[0]
      if (!known) return []
      others.set(n, known.name)
    }
  const edit =
    (only: string | null): PatternEdit =>
    (g: Graph) => {
      const from = g.find(pattern.name)
      if (!from) return false
      const uses = [...from.users].filter((u) => only === null || u.name === only)
      const first = uses.reduce<Node | null>((a, b) => (a === null || b.isBefore(a) ? b : a), null)
      if (!first) return false
      const made = new Map<Node, Node>([[under, from]])
      for (const [n, name] of others) {
        const known = g.find(name)
        if (!known?.isBefore(first)) return false
        made.set(n, known)
      }
      let last = from
      for (const n of [...chain].reverse()) {
        const [args, kwargs] = mapArgs(n.args, n.kwargs, (a): Arg => made.get(a) ?? a)
        last = g.insertingBefore(first, () => g.createNode('call_function', n.target, args, kwargs, n.name))
        last.meta = {
          ...(n.meta.val ? { val: n.meta.val } : {}),
          ...(from.meta.source ? { source: from.meta.source } : {}),
        }
        made.set(n, last)
      }
      for (const u of uses) u.replaceInput(from, last)
      return true
    }
  const title = `Add ${addedOf(chain)} to the traced pattern`
  return [
    { title, edit: edit(null) },
    ...(users.length > 1 ? users.map((u) => ({ title: `${title}, before ${u}`, edit: edit(u) })) : []),
  ]
}
