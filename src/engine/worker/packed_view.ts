/**
 * A graph view in columns, for messages: cloning 50,000 rows of 17 fields takes ten times as long as cloning their columns,
 * on both threads.
 */
import { lazyField } from '../../base/lazy_field'
import type { GraphView, NodeView } from '../report/graph_view'
import type { OutlineGroupView } from '../report/outline_view'

/** Texts with few distinct values: the distinct texts, and an index into them by node. */
interface Few<T extends string | null> {
  values: T[]
  at: Int32Array
}

/** Lists by node, one after the other, and the end of each. */
interface Lists<T> {
  items: T
  ends: Int32Array
}

export interface PackedView extends Pick<GraphView, 'problems'> {
  /** Names, joined. */
  names: string
  /** `at`: index by node. */
  fields: { [K in FewField]: Few<NodeView[K]> }
  /** Arguments, joined. */
  args: Lists<string>
  /** Keys and values in turn, joined. */
  kwargs: Lists<string>
  inputs: Lists<Int32Array>
  users: Lists<Int32Array>
  /** By index; absent nodes have none. */
  meta: [number, NonNullable<NodeView['meta']>][]
  /** Distinct objects, and an index by node. */
  sources: { values: NodeView['source'][]; at: Int32Array }
  /** NO_LINE: null. */
  textLines: Int32Array
  outline: PackedGroup[] | null
}

type PackedGroup = Omit<OutlineGroupView, 'instances'> & { instances: Lists<Int32Array> }

const FIELDS = ['op', 'target', 'inner', 'family', 'dtype', 'shape', 'stride', 'device'] as const
type FewField = (typeof FIELDS)[number]

const NO_LINE = -1
/** No text of a graph holds this character: Python's reprs escape it. */
const SEPARATOR = '\u0000'

export function packView({ nodes, problems, outline }: GraphView): PackedView {
  const meta: PackedView['meta'] = []
  nodes.forEach((n, i) => n.meta && meta.push([i, n.meta]))
  return {
    problems,
    names: joined(nodes.map((n) => n.name)),
    fields: Object.fromEntries(FIELDS.map((f) => [f, packFew(nodes, (n) => n[f])])) as PackedView['fields'],
    args: packTexts(nodes, (n) => n.args),
    kwargs: packTexts(nodes, (n) => (n.kwargs.length > 0 ? n.kwargs.flat() : NO_TEXTS)),
    inputs: packNumbers(nodes.map((n) => n.inputs)),
    users: packNumbers(nodes.map((n) => n.users)),
    meta,
    sources: packFew(nodes, (n) => n.source),
    textLines: Int32Array.from(nodes, (n) => n.textLine ?? NO_LINE),
    outline: outline?.map((g) => ({ ...g, instances: packNumbers(g.instances) })) ?? null,
  }
}

const unpackers = new WeakMap<GraphView, NodeUnpacker>()

/** The nodes are created when they are first read: the graph after the passes is often not looked at. */
export function unpackView(packed: PackedView): GraphView {
  const { problems, outline } = packed
  const unpacker = new NodeUnpacker(packed)
  const view: GraphView = lazyField({ problems }, 'nodes', () => {
    // The columns are dropped once the nodes exist.
    unpackers.delete(view)
    return unpacker.all()
  })
  unpackers.set(view, unpacker)
  if (!outline) return view
  const groups = outline.map(({ instances, ...group }) => ({
    ...group,
    instances: Array.from(instances.ends, (_, k) => numbers(instances, k)),
  }))
  return Object.assign(view, { outline: groups })
}

/** Creates the nodes of an unpacked view, at most `count` in each of the calls it returns. */
export const nodeSteps = (view: GraphView, count: number): (() => void)[] => unpackers.get(view)?.steps(count) ?? []

/** Creates the nodes of a view, at once or in steps. */
class NodeUnpacker {
  private texts: { names: string[]; args: string[]; kwargs: string[] } | null = null
  private readonly nodes: NodeView[]
  private made = 0

  constructor(private readonly packed: PackedView) {
    const size = packed.textLines.length
    this.nodes = size === 0 ? [] : new Array<NodeView>(size)
  }

  all(): NodeView[] {
    this.upTo(this.nodes.length)
    for (const [i, meta] of this.packed.meta) this.nodes[i]!.meta = meta
    return this.nodes
  }

  steps(count: number): (() => void)[] {
    const ends = Array.from({ length: Math.ceil(this.nodes.length / count) }, (_, k) => (k + 1) * count)
    return [() => void this.split(), ...ends.map((end) => () => this.upTo(end))]
  }

  private split(): NonNullable<NodeUnpacker['texts']> {
    const { names, args, kwargs } = this.packed
    return (this.texts ??= { names: split(names), args: split(args.items), kwargs: split(kwargs.items) })
  }

  private upTo(end: number): void {
    const { nodes, packed } = this
    if (this.made >= nodes.length) return
    const { fields, sources, textLines } = packed
    const { names, args, kwargs } = this.split()
    const { op, target, inner, family, dtype, shape, stride, device } = fields
    const last = Math.min(end, nodes.length)
    for (let i = this.made; i < last; i++)
      nodes[i] = {
        name: names[i]!,
        op: op.values[op.at[i]!]!,
        target: target.values[target.at[i]!]!,
        inner: inner.values[inner.at[i]!]!,
        family: family.values[family.at[i]!]!,
        dtype: dtype.values[dtype.at[i]!]!,
        shape: shape.values[shape.at[i]!]!,
        stride: stride.values[stride.at[i]!]!,
        device: device.values[device.at[i]!]!,
        args: slice(args, packed.args.ends, i),
        kwargs: pairs(slice(kwargs, packed.kwargs.ends, i)),
        inputs: numbers(packed.inputs, i),
        users: numbers(packed.users, i),
        source: sources.values[sources.at[i]!]!,
        textLine: textLines[i] === NO_LINE ? null : textLines[i]!,
      }
    this.made = Math.max(this.made, last)
  }
}

const NO_TEXTS: readonly string[] = []

const joined = (texts: readonly string[]): string => texts.join(SEPARATOR)
const split = (text: string): string[] => text.split(SEPARATOR)

function packFew<T>(nodes: readonly NodeView[], of: (n: NodeView) => T): { values: T[]; at: Int32Array } {
  const values: T[] = []
  const index = new Map<T, number>()
  const at = new Int32Array(nodes.length)
  for (let i = 0; i < nodes.length; i++) {
    const value = of(nodes[i]!)
    let found = index.get(value)
    if (found === undefined) {
      index.set(value, (found = values.length))
      values.push(value)
    }
    at[i] = found
  }
  return { values, at }
}

function packTexts(nodes: readonly NodeView[], of: (n: NodeView) => readonly string[]): Lists<string> {
  const all: string[] = []
  const ends = Int32Array.from(nodes, (n) => {
    for (const text of of(n)) all.push(text)
    return all.length
  })
  return { items: joined(all), ends }
}

function packNumbers(lists: readonly (readonly number[])[]): Lists<Int32Array> {
  const ends = new Int32Array(lists.length)
  let size = 0
  for (let i = 0; i < lists.length; i++) ends[i] = size += lists[i]!.length
  const items = new Int32Array(size)
  for (let i = 0; i < lists.length; i++) items.set(lists[i]!, ends[i]! - lists[i]!.length)
  return { items, ends }
}

const startOf = (ends: Int32Array, i: number): number => (i === 0 ? 0 : ends[i - 1]!)

const slice = (all: readonly string[], ends: Int32Array, i: number): string[] => all.slice(startOf(ends, i), ends[i])

/** Most nodes have no keyword arguments: they share one list. */
const NO_KWARGS: [string, string][] = []
Object.freeze(NO_KWARGS)

/** Exact length, here and below: an array that grows by `push` reserves room for 17 items. */
function pairs(flat: readonly string[]): [string, string][] {
  if (flat.length === 0) return NO_KWARGS
  const found = new Array<[string, string]>(flat.length / 2)
  for (let i = 0; i < found.length; i++) found[i] = [flat[2 * i]!, flat[2 * i + 1]!]
  return found
}

function numbers({ items, ends }: Lists<Int32Array>, i: number): number[] {
  const start = startOf(ends, i)
  const found = new Array<number>(ends[i]! - start)
  for (let j = 0; j < found.length; j++) found[j] = items[start + j]!
  return found
}
