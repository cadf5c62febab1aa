import { Node } from './graph'
import type { Arg } from '../value'
import { dict, slice, tuple } from '../value'

/** Calls `fn` for each node inside an argument, in order, repeats included. */
export function visitNodes(arg: Arg, fn: (n: Node) => void): void {
  if (typeof arg !== 'object' || arg === null) return
  if (arg instanceof Node) fn(arg)
  else if (Array.isArray(arg)) for (const a of arg as readonly Arg[]) visitNodes(a, fn)
  else if ('kind' in arg) {
    if (arg.kind === 'tuple') for (const a of arg.items) visitNodes(a, fn)
    else if (arg.kind === 'dict') for (const a of arg.entries.values()) visitNodes(a, fn)
    else if (arg.kind === 'slice') {
      visitNodes(arg.start, fn)
      visitNodes(arg.stop, fn)
      visitNodes(arg.step, fn)
    }
  }
}

/** A copy of an argument with each node replaced by `fn(node)` (FX's map_arg). */
export function mapArg(arg: Arg, fn: (n: Node) => Arg): Arg {
  if (arg instanceof Node) return fn(arg)
  if (Array.isArray(arg)) return (arg as readonly Arg[]).map((a) => mapArg(a, fn))
  if (typeof arg === 'object' && arg !== null && 'kind' in arg) {
    if (arg.kind === 'tuple') return tuple(arg.items.map((a) => mapArg(a, fn)))
    if (arg.kind === 'dict') return dict(new Map([...arg.entries].map(([k, v]) => [k, mapArg(v, fn)])))
    if (arg.kind === 'slice') return slice(mapArg(arg.start, fn), mapArg(arg.stop, fn), mapArg(arg.step, fn))
  }
  return arg
}

/** The arguments of a node under mapArg: what setArgs and createNode take. */
export function mapArgs(
  args: readonly Arg[],
  kwargs: ReadonlyMap<string, Arg>,
  fn: (n: Node) => Arg,
): [args: Arg[], kwargs: ReadonlyMap<string, Arg>] {
  const mapped = args.map((a) => mapArg(a, fn))
  if (kwargs.size === 0) return [mapped, kwargs]
  const named = new Map<string, Arg>()
  for (const [k, v] of kwargs) named.set(k, mapArg(v, fn))
  return [mapped, named]
}
