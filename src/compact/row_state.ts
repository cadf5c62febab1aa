/** State shared by the writer and the reader of rows: numbers in names, references, candidates for sizes. */
import type { Node, NodeMeta, NodeOp } from '../fx/graph/node'
import type { Dim } from '../fx/value'

/** Ids of strings, in the order of their first use. */
export class Strings {
  private readonly ids = new Map<string, number>()
  readonly list: string[] = []

  id(text: string): number {
    let id = this.ids.get(text)
    if (id === undefined) {
      id = this.list.length
      this.ids.set(text, id)
      this.list.push(text)
    }
    return id
  }
}

/** Kinds of an argument. Ids are part of the format: append only. */
export const ARG = {
  near: 0,
  fresh: 1,
  used: 2,
  far: 3,
  newFar: 4,
  none: 5,
  true: 6,
  false: 7,
  int: 8,
  bigint: 9,
  float: 10,
  string: 11,
  list: 12,
  tuple: 13,
  dict: 14,
  slice: 15,
  dtype: 16,
  layout: 17,
  memoryFormat: 18,
  op: 19,
  sym: 20,
  opaque: 21,
  device: 22,
  complex: 23,
  ellipsis: 24,
} as const

/** Kinds of a val: `same` is that of the node's first input. */
export const VAL = { none: 0, same: 1, tensor: 2, sym: 3 } as const
export const STRIDE = { none: 0, contiguous: 1, permuted: 2, explicit: 3 } as const

/** A node's name: an index of derivedNames, or this. */
export const OTHER_NAME = 4
/** A node's comment: the same as the previous node's, none, one seen before, or a new one. */
export const SOURCE = { same: 0, none: 1, known: 2, other: 3 } as const

/** A node further back than this is referred to by its index in the list of far nodes. */
const NEAR = 100

/** Codes the numbers of a name as differences from the template's last numbers. */
export class NameNumbers {
  private readonly last = new Map<string, readonly number[]>()

  differences(template: string, numbers: readonly number[]): number[] {
    const last = this.last.get(template) ?? []
    this.last.set(template, numbers)
    return numbers.map((n, i) => signed(n - (last[i] ?? 0)))
  }

  /** The inverse of `differences`. @returns the name */
  name(template: string, next: () => number): string {
    const last = this.last.get(template) ?? []
    const count = template.split('#').length - 1
    const numbers: number[] = []
    for (let i = 0; i < count; i++) numbers.push((last[i] ?? 0) + unsigned(next()))
    this.last.set(template, numbers)
    return joinName(template, numbers)
  }
}

export class RowState {
  /** For the reader: the comment of the last node, and all different comments. */
  comment: NodeMeta = {}
  readonly comments: NodeMeta[] = []
  /** `sourceText` of the last node: the writer's. */
  source = ''
  /** Line of the last source, from 1. */
  line = 0
  /** By `sourceText`: the number of different ones before it. */
  readonly sources = new Map<string, number>()
  private readonly nodes: Node[] = []
  private readonly at = new Map<Node, number>()
  readonly names = new NameNumbers()
  /** Placeholders without a use so far, in order. */
  private readonly fresh: Node[] = []
  /** Placeholders with a use, the last used one first. */
  private readonly used: Node[] = []
  private readonly far: Node[] = []
  private readonly farAt = new Map<Node, number>()

  add(node: Node): void {
    this.at.set(node, this.nodes.length)
    this.nodes.push(node)
    if (node.op === 'placeholder') this.fresh.push(node)
  }

  /** The kind and the number of a reference. Marks the node as used. */
  reference(node: Node): [kind: number, value: number] {
    if (node.op === 'placeholder') {
      const used = this.used.indexOf(node)
      const fresh = used < 0 ? this.fresh.indexOf(node) : -1
      this.use(used, fresh)
      return used >= 0 ? [ARG.used, used] : [ARG.fresh, fresh]
    }
    const far = this.farAt.get(node)
    if (far !== undefined) return [ARG.far, far]
    const distance = this.nodes.length - this.at.get(node)!
    if (distance <= NEAR) return [ARG.near, distance - 1]
    this.addFar(node)
    return [ARG.newFar, distance - 1]
  }

  /** The node of a reference that `reference` returned; undefined: there is none. */
  resolve(kind: number, value: number): Node | undefined {
    switch (kind) {
      case ARG.fresh: {
        const node = this.fresh[value]
        if (node) this.use(-1, value)
        return node
      }
      case ARG.used: {
        const node = this.used[value]
        if (node) this.use(value, -1)
        return node
      }
      case ARG.far:
        return this.far[value]
      default: {
        const node = this.nodes[this.nodes.length - 1 - value]
        if (node && kind === ARG.newFar) this.addFar(node)
        return node
      }
    }
  }

  private use(used: number, fresh: number): void {
    const [node] = used >= 0 ? this.used.splice(used, 1) : this.fresh.splice(fresh, 1)
    this.used.unshift(node!)
  }

  private addFar(node: Node): void {
    this.farAt.set(node, this.far.length)
    this.far.push(node)
  }
}

/** Sizes that a node's own sizes and strides are likely to repeat: those of its inputs, then its integer arguments. */
export function candidateDims(node: Node): Dim[] {
  const found = new Set<Dim>([1])
  for (const input of node.inputs().slice(0, 4)) {
    const { val } = input.meta
    if (val?.kind !== 'tensor') {
      if (val?.kind === 'scalar' && typeof val.value === 'object' && val.value) found.add(val.value.expr)
      continue
    }
    for (const d of val.shape) found.add(d)
    for (const d of val.stride ?? []) found.add(d)
  }
  for (const arg of node.args)
    if (Array.isArray(arg)) for (const a of arg) if (typeof a === 'bigint' && a > 1n) found.add(Number(a))
  return [...found]
}

/** Strides of a dense tensor whose dimensions are in memory in the order `order`, outermost first; null if a size is not a number. */
export function contiguous(shape: readonly Dim[], order: readonly number[]): Dim[] | null {
  const stride: Dim[] = new Array<Dim>(shape.length).fill(1)
  let step = 1
  for (let i = order.length - 1; i >= 0; i--) {
    const size = shape[order[i]!]!
    stride[order[i]!] = step
    if (typeof size !== 'number') {
      if (i > 0) return null
      break
    }
    step *= Math.max(1, size)
  }
  return stride
}

/**
 * The names that FX and Inductor give to a node of this target, as templates, by NAME: `add` and `add_#` for
 * aten.add.Tensor in a graph that was traced, `add_tensor` and `add_tensor_#` in one that a pass built.
 */
export function derivedNames(op: NodeOp, target: string): readonly string[] {
  const key = `${op === 'call_function' ? 1 : 0}${target}`
  let names = derived.get(key)
  if (names) return names
  const parts = op === 'call_function' ? target.split('.') : [target]
  const base = splitName(parts.length === 3 ? parts[1]! : parts.at(-1)!).template
  const full = parts.length === 3 ? `${base}_${splitName(parts[2]!.toLowerCase()).template}` : base
  names = [base, `${base}_#`, full, `${full}_#`]
  derived.set(key, names)
  return names
}

const derived = new Map<string, readonly string[]>()

/** Zigzag: 0, -1, 1, -2 … as 0, 1, 2, 3 … */
export const signed = (n: number): number => (n < 0 ? -2 * n - 1 : 2 * n)

/** The inverse of `signed`. */
export const unsigned = (n: number): number => (n % 2 === 0 ? n / 2 : -(n + 1) / 2)

/** `arg12_1` as `arg#_#` and [12, 1]. Numbers with leading zeros, and long ones, stay. */
export function splitName(name: string): { template: string; numbers: number[] } {
  const numbers: number[] = []
  // FX turns names into identifiers; a name with another character is refused (see encodeGraph).
  if (name.includes('#')) return { template: name, numbers }
  const template = name.replace(/(?<!\d)(?:0|[1-9]\d{0,8})(?!\d)/g, (digits) => {
    numbers.push(Number(digits))
    return '#'
  })
  return { template, numbers }
}

/** The inverse of `splitName`. */
function joinName(template: string, numbers: readonly number[]): string {
  let i = 0
  return template.replace(/#/g, () => String(numbers[i++]))
}

/** The contents of print_readable's comment above a node, as a key; '': nothing. */
export function sourceText({ source, custom, additional }: NodeMeta): string {
  if (!source && !custom && !additional) return ''
  return JSON.stringify([source && [source.file, source.line, source.fn, source.code], custom, additional])
}
