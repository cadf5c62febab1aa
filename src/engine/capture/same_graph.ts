/** Compares two graphs node by node, without names. */
import { formatArg, type Graph } from '../../fx'

/** True if the graphs have the same calls on the same nodes, in the same order. */
export function sameGraph(a: Graph, b: Graph): boolean {
  if (a.size !== b.size) return false
  const [left, right] = [textOf(a), textOf(b)]
  return left.every((line, i) => line === right[i])
}

/** The first node of `a` that differs from `b`'s; null if none does. */
export function firstDifference(a: Graph, b: Graph): string | null {
  const [left, right] = [textOf(a), textOf(b)]
  const at = left.findIndex((line, i) => line !== right[i])
  if (at >= 0) return [...a.nodes()][at]!.name
  return left.length < right.length ? ([...b.nodes()][left.length]?.name ?? null) : null
}

/** Per node: op, target and arguments, with positions instead of names. */
function textOf(graph: Graph): string[] {
  const ids = new Map([...graph.nodes()].map((n, i) => [n.name, `%${i}`]))
  const plain = (text: string): string => text.replace(/%[\w.]+/g, (name) => ids.get(name.slice(1)) ?? name)
  return [...graph.nodes()].map((n) =>
    [
      n.op,
      n.op === 'placeholder' || n.op === 'output' ? '' : n.target,
      ...n.args.map((a) => plain(formatArg(a))),
      ...[...n.kwargs].map(([k, v]) => `${k}=${plain(formatArg(v))}`),
    ].join(' '),
  )
}
