/** Filters for the user's view: parts around nodes, paths, uses, and the graph without its views. */
import type { GraphView, NodeView } from '../../engine/protocol'
import { HIDDEN, SHOWN, THROUGH } from './types'
import type { Filter } from './visibility'

/** Operators that read a size, which models compute beside the tensors. */
const SIZE = /\bsym_(size|stride|numel|storage_offset)\b/

/** True for a node that changes only a tensor's shape, or reads one of its sizes. */
export const isViewOrSize = ({ family, target }: NodeView): boolean => family === 'view' || SIZE.test(target)

/** Draws the users of a view as users of the viewed tensor. */
export const withoutViews: Filter = ({ nodes }) =>
  Uint8Array.from(nodes, (node) => (isViewOrSize(node) ? THROUGH : SHOWN))

/** Draws edges past the nodes with these names. */
export const withoutNodes =
  (names: ReadonlySet<string>): Filter =>
  ({ nodes }) =>
    Uint8Array.from(nodes, ({ name }) => (names.has(name) ? THROUGH : SHOWN))

/**
 * Draws only the nodes with these names, with the inputs within `up` steps and the users within `down` steps. A graph without any
 * of them is drawn whole.
 */
export const only =
  (names: ReadonlySet<string>, up: number, down: number): Filter =>
  ({ nodes }) => {
    const start = nodes.flatMap(({ name }, i) => (names.has(name) ? [i] : []))
    const visible = new Uint8Array(nodes.length).fill(start.length > 0 ? HIDDEN : SHOWN)
    for (const i of within(start, (n) => nodes[n]!.inputs, up)) visible[i] = SHOWN
    for (const i of within(start, (n) => nodes[n]!.users, down)) visible[i] = SHOWN
    return visible
  }

function within(start: readonly number[], next: (node: number) => readonly number[], steps = Infinity): Set<number> {
  const reached = new Set(start)
  let edge: readonly number[] = start
  for (let step = 0; step < steps && edge.length > 0; step++) {
    const found: number[] = []
    for (const n of edge)
      for (const m of next(n))
        if (!reached.has(m)) {
          reached.add(m)
          found.push(m)
        }
    edge = found
  }
  return reached
}

/**
 * The nearest other node of a graph, along edges of either direction, that satisfies `wanted`; null without one.
 * @param from indices of nodes: a pan calls this once a frame, so it does not search all nodes for names
 */
export function nearest(
  { nodes }: GraphView,
  from: readonly number[],
  wanted: (name: string) => boolean,
): string | null {
  const starts = new Set(from.toSorted((a, b) => a - b))
  const reached = new Set(starts)
  for (const i of reached) {
    const { name, inputs, users } = nodes[i]!
    if (!starts.has(i) && wanted(name)) return name
    for (const j of [...inputs, ...users]) reached.add(j)
  }
  return null
}

/**
 * Names of the nodes on every directed path between two nodes, whichever comes first; with the two themselves.
 * @returns null if no path leads from either to the other
 */
export function pathBetween({ nodes }: GraphView, a: string, b: string): string[] | null {
  const [i, j] = [nodes.findIndex((n) => n.name === a), nodes.findIndex((n) => n.name === b)]
  if (i < 0 || j < 0) return null
  for (const [from, to] of [
    [i, j],
    [j, i],
  ] as const) {
    const after = within([from], (n) => nodes[n]!.users)
    if (!after.has(to)) continue
    const before = within([to], (n) => nodes[n]!.inputs)
    return nodes.flatMap(({ name }, n) => (after.has(n) && before.has(n) ? [name] : []))
  }
  return null
}

/** Names of a node and of all nodes that use its value, directly or through views. */
export function usesOf({ nodes }: GraphView, name: string): string[] {
  const start = nodes.findIndex((n) => n.name === name)
  if (start < 0) return []
  const through = (n: number): readonly number[] => (n === start || isViewOrSize(nodes[n]!) ? nodes[n]!.users : [])
  return [...within([start], through)].map((n) => nodes[n]!.name)
}
