/**
 * The module of each node, as a dotted path. Sources: node.meta["nn_module_stack"], the target of a module call, or the parameter
 * names that Dynamo writes (`L_self_modules_layers_modules_0_…_parameters_weight_`).
 */
import { memoizeByObject } from '../../base/memoize'
import type { GraphView, NodeView } from '../../engine/protocol'

const STACK_KEY = 'meta["nn_module_stack"]'

/** By node index: `layers.3.mlp`; an empty path is the model itself. Null: the dump names no modules. */
export const modulesOf = memoizeByObject(({ nodes }: GraphView): readonly (string | null)[] | null => {
  const stacked = nodes.map(pathInStack)
  const hasStacks = stacked.some((path) => path)
  const named = nodes.map((n, i) => stacked[i] ?? pathInName(n))
  if (!named.some((path) => path)) return null
  const own = nodes.map((n, i) => named[i] ?? (hasStacks ? null : moduleOfParameters(n, named)))
  return hasStacks ? own : betweenNeighbors(nodes, own)
})

/**
 * The path of a stack's innermost entry: `{'L__self__': ('', 'Model'), …}` (torch.export) or `{'139…': ("L['self'].layers.3",
 * <class 'Layer'>)}` (Dynamo), as text or read as lists.
 */
function pathInStack({ meta }: NodeView): string | null {
  const text = meta?.find(([key]) => key === STACK_KEY)?.[1]
  if (text === undefined) return null
  let last: string | null = null
  for (const [, double, single] of text.replaceAll("\\'", "'").matchAll(/[([]\s*(?:"([^"]*)"|'([^']*)'), /g))
    last = double ?? single ?? last
  return last === null ? null : last.replace(/^(?:L\['[^']*'\]|L__self__|self)\.?/, '')
}

function pathInName({ op, target }: NodeView): string | null {
  if (op === 'call_module') return target.replace(/^self\./, '')
  if (op !== 'placeholder' && op !== 'get_attr') return null
  const dynamo = /^L_\w+?_modules_(.+?)_(?:parameters|buffers)_\w+$/.exec(target)
  return dynamo ? dynamo[1]!.replaceAll('_modules_', '.') : null
}

/** The module whose parameters a call takes; null if it takes none. */
function moduleOfParameters({ op, inputs }: NodeView, named: readonly (string | null)[]): string | null {
  if (op === 'placeholder' || op === 'get_attr' || op === 'output') return null
  const paths = inputs.flatMap((i) => named[i] ?? [])
  return paths.length === 0 ? null : paths.reduce(commonPath)
}

/** A call without parameters belongs to the modules that contain both the call before it and the call after it in the text. */
function betweenNeighbors(nodes: readonly NodeView[], own: readonly (string | null)[]): (string | null)[] {
  const next = new Array<string | null>(nodes.length).fill(null)
  for (let i = nodes.length - 1, after: string | null = null; i >= 0; i--) {
    next[i] = after
    if (isCall(nodes[i]!)) after = own[i] ?? after
  }
  let before: string | null = null
  return own.map((path, i) => {
    if (!isCall(nodes[i]!)) return path
    if (path !== null) return (before = path)
    return before === null || next[i] === null ? null : commonPath(before, next[i]!)
  })
}

const isCall = ({ op }: NodeView): boolean => op.startsWith('call')

/** `layers.3.mlp.up` and `layers.3.mlp.down` → `layers.3.mlp`. */
export function commonPath(a: string, b: string): string {
  if (a === b) return a
  const [x, y] = [a.split('.'), b.split('.')]
  let same = 0
  while (same < x.length && same < y.length && x[same] === y[same]) same++
  return x.slice(0, same).join('.')
}
