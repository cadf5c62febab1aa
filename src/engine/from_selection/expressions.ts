/** The selection as the matcher's own pattern objects, to find the matcher's bindings without running a file. */
import { Node, type Arg, isKind, isGetitem } from '../../fx'
import {
  CallFunction,
  CallMethod,
  ExclusiveKeywordArg,
  Ignored,
  KeywordArg,
  MULTIPLE,
  PatternExpr,
  type PatternArg,
} from '../../matcher'
import { holdsNode } from './selection'
import type { SelectedNodes } from './types'

export interface ExpressionOptions {
  /** See Form. */
  exclusive: boolean
  /** True: numbers, sizes, dtypes and devices are ignored, as in stage one of a traced pattern. */
  loose: boolean
}

/** The pattern object of each selected node. */
export function expressionsOf(
  { nodes, inputs, outputs, kept }: SelectedNodes,
  { exclusive, loose }: ExpressionOptions,
): ReadonlyMap<Node, PatternExpr> {
  const exprs = new Map<Node, PatternExpr>(
    inputs.map(({ node, name }) => [node, exclusive ? new ExclusiveKeywordArg(name) : new KeywordArg(name)]),
  )
  const inside = new Set(nodes)
  for (const node of nodes) {
    const isItem = isGetitem(node)
    const convert = (arg: Arg): PatternArg => {
      const converted = converter(exprs, loose, isItem)(arg)
      return loose && isIgnoredList(converted) ? new Ignored() : converted
    }
    const args = node.args.map(convert)
    const kwargs = new Map([...node.kwargs].map(([k, v]) => [k, convert(v)]))
    const readers = outputs.includes(node) ? 1 : [...node.users].filter((u) => inside.has(u)).length
    const Kind = node.op === 'call_method' ? CallMethod : CallFunction
    exprs.set(node, new Kind([node.target], args, kwargs, kept.includes(node) ? MULTIPLE : readers))
  }
  return exprs
}

function converter(exprs: ReadonlyMap<Node, PatternExpr>, loose: boolean, isItem: boolean): (arg: Arg) => PatternArg {
  const convert = (arg: Arg): PatternArg => {
    if (arg instanceof Node) return exprs.get(arg) ?? new Ignored()
    if (typeof arg === 'number') return loose || Number.isNaN(arg) ? new Ignored() : arg
    if (typeof arg === 'bigint') return loose && !isItem ? new Ignored() : arg
    if (Array.isArray(arg)) return { kind: 'pattern_list', items: (arg as readonly Arg[]).map(convert) }
    if (typeof arg !== 'object' || arg === null || !('kind' in arg)) return arg
    switch (arg.kind) {
      case 'tuple':
        return { kind: 'pattern_tuple', items: arg.items.map(convert) }
      case 'dict':
        return { kind: 'pattern_dict', entries: [...arg.entries].map(([k, v]) => [k, convert(v)] as const) }
      case 'sym':
        return new Ignored()
      case 'slice':
        return holdsNode(arg) ? new Ignored() : arg
      case 'dtype':
      case 'device':
        return loose ? new Ignored() : arg
      default:
        return arg
    }
  }
  return convert
}

const isIgnoredList = (arg: PatternArg): boolean =>
  isKind(arg, 'pattern_list') && arg.items.length > 0 && arg.items.every((i) => i instanceof Ignored)
