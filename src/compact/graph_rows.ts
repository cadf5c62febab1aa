/**
 * A graph as rows of small numbers, one row per node. Equal nodes of equal layers have equal rows: arguments are relative, numbers
 * in names are differences, strings are ids. docs/links.md specifies the rows; RowReader reads them.
 */
import type { Graph } from '../fx/graph/graph'
import { Node, NODE_OPS, type Arg } from '../fx/graph/node'
import type { Dim, Val } from '../fx/value'
import { pyFloatRepr } from '../fx/printers/format'
import {
  ARG,
  candidateDims,
  contiguous,
  OTHER_NAME,
  RowState,
  SOURCE,
  STRIDE,
  VAL,
  derivedNames,
  signed,
  sourceText,
  splitName,
  type Strings,
} from './row_state'

/** Writes the rows of a graph and, after it, of its subgraphs. */
export class RowWriter {
  constructor(private readonly strings: Strings) {}

  rows(graph: Graph): number[][] {
    const state = new RowState()
    const rows: number[][] = []
    for (const node of graph.nodes()) {
      rows.push(this.row(node, state))
      state.add(node)
    }
    return rows
  }

  private row(node: Node, state: RowState): number[] {
    const row = [NODE_OPS.indexOf(node.op)]
    row.push(node.target === node.name ? 0 : this.string(node.target))
    this.name(node, state, row)
    row.push(node.type === null ? 0 : this.string(node.type))
    row.push(node.args.length)
    for (const arg of node.args) this.arg(arg, state, row)
    row.push(node.kwargs.size)
    for (const [key, arg] of node.kwargs) {
      row.push(this.string(key))
      this.arg(arg, state, row)
    }
    this.val(node, row)
    this.source(node, state, row)
    return row
  }

  /** The token of a string: below 0. */
  private string(text: string): number {
    return -1 - this.strings.id(text)
  }

  /** A template with its numbers replaced, and each number's difference from the template's last number. */
  private name(node: Node, state: RowState, row: number[]): void {
    const { template, numbers } = splitName(node.name)
    const derived = node.target === node.name ? -1 : derivedNames(node.op, node.target).indexOf(template)
    if (derived >= 0) row.push(derived)
    else row.push(OTHER_NAME, this.string(template))
    row.push(...state.names.differences(template, numbers))
  }

  private arg(arg: Arg, state: RowState, row: number[]): void {
    if (arg instanceof Node) return void row.push(...state.reference(arg))
    switch (typeof arg) {
      case 'boolean':
        return void row.push(arg ? ARG.true : ARG.false)
      case 'bigint':
        if (arg >= -(2n ** 38n) && arg < 2n ** 38n) return void row.push(ARG.int, signed(Number(arg)))
        return void row.push(ARG.bigint, this.string(arg.toString()))
      case 'number':
        return void row.push(ARG.float, this.string(pyFloatRepr(arg)))
      case 'string':
        return void row.push(ARG.string, this.string(arg))
    }
    if (arg === null) return void row.push(ARG.none)
    if (isList(arg)) {
      row.push(ARG.list, arg.length)
      for (const a of arg) this.arg(a, state, row)
      return
    }
    this.object(arg, state, row)
  }

  private object(
    arg: Exclude<Arg, Node | readonly Arg[] | null | string | number | bigint | boolean>,
    state: RowState,
    row: number[],
  ): void {
    switch (arg.kind) {
      case 'tuple':
        row.push(ARG.tuple, arg.items.length)
        for (const a of arg.items) this.arg(a, state, row)
        return
      case 'dict':
        row.push(ARG.dict, arg.entries.size)
        for (const [key, a] of arg.entries) {
          row.push(this.string(key))
          this.arg(a, state, row)
        }
        return
      case 'slice':
        row.push(ARG.slice)
        for (const a of [arg.start, arg.stop, arg.step]) this.arg(a, state, row)
        return
      case 'dtype':
        return void row.push(ARG.dtype, this.string(arg.name))
      case 'layout':
        return void row.push(ARG.layout, this.string(arg.name))
      case 'memory_format':
        return void row.push(ARG.memoryFormat, this.string(arg.name))
      case 'op':
        return void row.push(ARG.op, this.string(arg.name))
      case 'sym':
        return void row.push(ARG.sym, this.string(arg.expr))
      case 'opaque':
        return void row.push(ARG.opaque, this.string(arg.text))
      case 'device':
        return void row.push(ARG.device, this.string(arg.type), arg.index === null ? 0 : arg.index + 1)
      case 'complex':
        return void row.push(ARG.complex, this.string(pyFloatRepr(arg.re)), this.string(pyFloatRepr(arg.im)))
      case 'ellipsis':
        return void row.push(ARG.ellipsis)
    }
  }

  private val(node: Node, row: number[]): void {
    const val = printed(node.meta.val)
    if (!val) return void row.push(VAL.none)
    if (val.kind === 'scalar') return void row.push(VAL.sym, this.string((val.value as { expr: string }).expr))
    const inputs = node.inputs()
    const first = inputs[0]?.meta.val
    if (first?.kind === 'tensor' && sameVal(first, val)) return void row.push(VAL.same)
    row.push(VAL.tensor, this.string(val.dtype), val.shape.length)
    const candidates = candidateDims(node)
    const dim = (d: Dim): void => {
      const at = candidates.indexOf(d)
      if (at >= 0) row.push(1 + at)
      else row.push(0, typeof d === 'number' ? d : this.string(d))
      if (at < 0) candidates.push(d)
    }
    val.shape.forEach(dim)
    if (val.stride === null) row.push(STRIDE.none)
    else {
      const order = denseOrder(val.shape, val.stride)
      if (order === null) {
        row.push(STRIDE.explicit)
        val.stride.forEach(dim)
      } else if (order.every((d, i) => d === i)) row.push(STRIDE.contiguous)
      else row.push(STRIDE.permuted, ...order)
    }
    row.push(val.device === null ? 0 : this.string(val.device.type))
    if (val.device) row.push(val.device.index === null ? 0 : val.device.index + 1)
  }

  private source(node: Node, state: RowState, row: number[]): void {
    const text = sourceText(node.meta)
    if (text === state.source) return void row.push(SOURCE.same)
    state.source = text
    if (text === '') return void row.push(SOURCE.none)
    const known = state.sources.get(text)
    if (known !== undefined) return void row.push(SOURCE.known, known)
    state.sources.set(text, state.sources.size)
    const { source, custom, additional } = node.meta
    row.push(SOURCE.other)
    if (source) {
      row.push(this.string(source.file), signed(source.line - state.line))
      row.push(source.fn === undefined ? 0 : this.string(source.fn))
      row.push(source.code === undefined ? 0 : this.string(source.code))
      state.line = source.line
    } else row.push(0)
    row.push(custom || additional ? this.string(JSON.stringify([custom ?? 0, additional ?? 0])) : 0)
  }
}

/** The part of a val that print_readable shows; undefined: none. */
function printed(val: Val | undefined | null): Exclude<Val, { kind: 'vals' }> | undefined {
  if (!val || val.kind === 'vals') return undefined
  if (val.kind === 'scalar') return typeof val.value === 'object' && val.value !== null ? val : undefined
  return val
}

function sameVal(a: Val & { kind: 'tensor' }, b: Val & { kind: 'tensor' }): boolean {
  return (
    a.dtype === b.dtype &&
    String(a.shape) === String(b.shape) &&
    String(a.stride) === String(b.stride) &&
    (a.stride === null) === (b.stride === null) &&
    a.device?.type === b.device?.type &&
    a.device?.index === b.device?.index
  )
}

/** The order of dimensions, outermost first, in which the tensor is contiguous; null if there is none. */
function denseOrder(shape: readonly Dim[], stride: readonly Dim[]): number[] | null {
  const order = shape.map((_, i) => i)
  if (same(contiguous(shape, order), stride)) return order
  if (stride.some((s) => typeof s !== 'number')) return null
  order.sort((a, b) => (stride[b] as number) - (stride[a] as number) || a - b)
  return same(contiguous(shape, order), stride) ? order : null
}

const same = (a: readonly Dim[] | null, b: readonly Dim[]): boolean =>
  a !== null && a.length === b.length && a.every((x, i) => x === b[i])

const isList = (arg: object): arg is readonly Arg[] => Array.isArray(arg)
