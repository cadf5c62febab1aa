/**
 * Flattens the arguments of a pattern and a node for pairwise comparison: simply if the pattern has no containers,
 * otherwise like torch.utils._pytree, with lists treated as tuples.
 */
import { pyStringRepr } from '../../fx'
import { tupleRepr } from '../py'
import { containerParts } from './arg_text'
import type { PatternArg } from './pattern_expr'

export interface Flat {
  items: PatternArg[]
  /** Path of each item: `0`, `group_size`, `1[2]`. */
  paths: string[]
  /** Python's repr of the spec. Two specs are equal if their texts are. */
  spec: string
}

type Args = readonly PatternArg[]
type Kwargs = Iterable<readonly [string, PatternArg]>

export const isContainer = (arg: PatternArg): boolean => containerParts(arg) !== null

export function simpleFlatten(args: Args, kwargs: Kwargs): Flat {
  const entries = [...kwargs]
  return {
    items: [...args, ...entries.map(([, v]) => v)],
    paths: [...args.map((_, i) => String(i)), ...entries.map(([k]) => k)],
    spec: tupleRepr([String(args.length), ...entries.map(([k]) => pyStringRepr(k))]),
  }
}

export function pytreeFlatten(args: Args, kwargs: Kwargs): Flat {
  const entries = [...kwargs]
  const flat: Flat = { items: [], paths: [], spec: '' }
  // The tree is (args, kwargs); each level indents by two, and the first child stays on its parent's line.
  const argSpecs = args.map((a, i) => flattenInto(flat, a, String(i), 4))
  const kwargSpecs = entries.map(([k, v]) => flattenInto(flat, v, k, 4))
  flat.spec = spec(
    'tuple',
    'None',
    [
      spec('tuple', 'None', argSpecs, 2),
      spec('dict', `[${entries.map(([k]) => pyStringRepr(k)).join(', ')}]`, kwargSpecs, 2),
    ],
    0,
  )
  return flat
}

/** Adds the leaves below `arg` and returns the text of its spec, printed with the given indent. */
function flattenInto(flat: Flat, arg: PatternArg, path: string, indent: number): string {
  const parts = containerParts(arg)
  if (!parts) {
    flat.items.push(arg)
    flat.paths.push(path)
    return '*'
  }
  if (parts.kind === 'dict') {
    const children = parts.entries.map(([k, v]) => flattenInto(flat, v, `${path}[${pyStringRepr(k)}]`, indent + 2))
    return spec('dict', `[${parts.entries.map(([k]) => pyStringRepr(k)).join(', ')}]`, children, indent)
  }
  const children = parts.items.map((a, i) => flattenInto(flat, a, `${path}[${i}]`, indent + 2))
  return spec('tuple', 'None', children, indent)
}

const spec = (type: string, context: string, children: readonly string[], indent: number): string =>
  `TreeSpec(${type}, ${context}, [${children.join(`,\n${' '.repeat(indent + 2)}`)}])`

/**
 * The leaves of a node's arguments if they have the pattern's structure, found without printing and comparing the
 * specs. Null if the structure differs.
 */
export function leavesLike(pattern: readonly PatternArg[], args: readonly PatternArg[]): PatternArg[] | null {
  const leaves: PatternArg[] = []
  return pattern.length === args.length && pattern.every((p, i) => laidBeside(p, args[i]!, leaves)) ? leaves : null
}

function laidBeside(pattern: PatternArg, arg: PatternArg, leaves: PatternArg[]): boolean {
  const wanted = containerParts(pattern)
  const found = containerParts(arg)
  if (!wanted || !found) {
    leaves.push(arg)
    return !wanted && !found
  }
  if (wanted.kind === 'dict' || found.kind === 'dict') {
    if (wanted.kind !== 'dict' || found.kind !== 'dict' || wanted.entries.length !== found.entries.length) return false
    const { entries } = found
    return wanted.entries.every(([k, v], i) => entries[i]![0] === k && laidBeside(v, entries[i]![1], leaves))
  }
  const { items } = found
  return wanted.items.length === items.length && wanted.items.every((p, i) => laidBeside(p, items[i]!, leaves))
}
