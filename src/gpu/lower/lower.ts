/**
 * Lowers a program to steps over storage slots, independent of the device: resolves views and undoes functionalized
 * mutation.
 */
import { copyKernel } from '../../ops/aten/elementwise/cast'
import { DTYPES, dtypeInfo } from '../../ops/dtype'
import { KernelRefusal, numel, type Kernel, type KernelCall, type TensorView } from '../../ops/kernel'
import { contiguousStrides } from '../../ops/strides'
import { callTarget } from './lower_call'
import { fillOf } from '../../ops/aten/factories/fill'
import { functionalized, functionalizedV2 } from './lower_functionalized'
import { cat, index, indexPut, overwritten, reinterpret, reshape, viewed } from './lower_shapes'
import {
  arithmetic,
  CannotRun,
  denseLike,
  isFresh,
  isItems,
  isTensor,
  viewOf,
  withoutOptions,
  type Located,
  type Lowered,
  type Slot,
  type Unwritten,
  type Value,
} from './lower_values'
import type { Lowers } from './lowers'
import { AS_COMPUTED } from './lower_inputs'
import { writeThrough } from './write_through'
import type { Symbols } from './symbols'
import type { RunInput, RunNode, RunProgram, RunValue } from '../types'
import { findKernel, hasOwnKernel } from '../device/registry'
import { innerTarget, isNodeRef } from './lower_inputs'

/** The tensor that a factory creates: from the dump if it is there, otherwise from its arguments. */
function factoryView(on: Lowers, node: RunNode, args: Value[], kwargs: Record<string, Value>): TensorView {
  if (node.meta) {
    const view = viewOf(node.name, node.meta, on.symbols)
    const shape = on.withTokens(view.shape)
    return { ...view, shape, stride: shape === view.shape ? view.stride : denseLike(view.stride, shape) }
  }
  const like = args[0]
  if (like !== undefined && (isTensor(like) || isFresh(like)) && /_like\b/.test(node.target)) {
    const { dtype, shape } = isTensor(like) ? like.view : like.fresh
    const wanted = kwargs['dtype']
    const named = typeof wanted === 'object' && wanted !== null && 'dtype' in wanted ? dtypeInfo(wanted.dtype) : null
    return { dtype: named?.name ?? dtype, shape, stride: contiguousStrides(shape), offset: 0 }
  }
  const size = args[0]
  const shape = size !== undefined && isItems(size) ? size.items : []
  const dtype = kwargs['dtype']
  const name = typeof dtype === 'object' && dtype !== null && 'dtype' in dtype ? dtype.dtype : 'float32'
  if (!shape.every((n) => typeof n === 'number')) throw new CannotRun(`the size of ${node.name} is unknown`)
  const info = dtypeInfo(name)
  if (!info) throw new CannotRun(`the dtype ${name} of ${node.name} is not supported`)
  const sizes = shape as number[]
  return { dtype: info.name, shape: sizes, stride: contiguousStrides(sizes), offset: 0 }
}

export { fixedInputsOf, inputRoles, rowInputsOf } from './lower_inputs'
export { CannotRun, viewOf, type Located, type Lowered, type Slot, type Step } from './lower_values'

export interface LowerOptions {
  symbols: Symbols
  /** Overrides the first dimension of `rowInputs`. */
  tokens: number | null
  rowInputs: ReadonlySet<string>
  /** The token count that `tokens` replaces, including in the program's own sizes. */
  ownTokens?: number | null
}

export function lower(program: RunProgram, options: LowerOptions): Lowered {
  return new Lowering(program, options).run()
}

class Lowering implements Lowers {
  private readonly out: Lowered = { slots: [], steps: [], inputs: [], outputs: [], notes: [] }
  private readonly env = new Map<string, Value>()
  /** Names whose value is kept as computed. */
  private readonly frozen = new Set<string>()
  readonly symbols: Symbols
  readonly tokens: number | null

  constructor(
    private readonly program: RunProgram,
    private readonly options: LowerOptions,
  ) {
    this.symbols = options.symbols
    this.tokens = options.tokens
  }

  run(): Lowered {
    for (const input of this.program.inputs) this.addInput(input)
    for (const node of this.program.nodes) {
      try {
        this.env.set(node.name, this.evaluate(node))
      } catch (e) {
        if (e instanceof CannotRun) e.node ??= node.name
        throw e
      }
    }
    for (const name of this.program.outputs) {
      const v = this.env.get(name)
      if (v === undefined || !(isTensor(v) || isFresh(v))) throw new CannotRun(`output ${name} is not a tensor`)
      this.out.outputs.push({ name, at: this.read(v, name) })
    }
    return this.out
  }

  private addInput({ name, meta }: RunInput): void {
    const { symbols, tokens, rowInputs } = this.options
    let view = viewOf(name, meta, symbols)
    if (tokens !== null && rowInputs.has(name) && view.shape.length > 0) {
      const shape = [tokens, ...view.shape.slice(1)]
      // Rows keep their stride; any other layout of a first dimension is made dense.
      const rowMajor = view.shape.length === 1 || view.stride[0]! >= numel(view.shape.slice(1))
      view = { ...view, shape, stride: rowMajor ? view.stride : denseLike(view.stride, shape) }
    }
    const at = { slot: this.slot(view, { input: name }), view }
    this.env.set(name, at)
    this.out.inputs.push({ name, at })
  }

  slot(view: TensorView, init: Slot['init']): number {
    const last = view.shape.reduce((sum, n, i) => sum + Math.max(0, n - 1) * view.stride[i]!, view.offset)
    const elements = numel(view.shape) === 0 ? 0 : last + 1
    // Whole 16-byte words, so that accesses of eight 16-bit elements never reach past the end.
    const bytes = Math.max(16, Math.ceil((elements * DTYPES[view.dtype].bytes) / 16) * 16)
    return this.out.slots.push({ bytes, init }) - 1
  }

  private value(v: RunValue): Value {
    if (typeof v !== 'object' || v === null) return v
    if ('node' in v) {
      const found = this.env.get(v.node)
      if (found === undefined) throw new CannotRun(`${v.node} is used but is not a tensor or result of the program`)
      return found
    }
    if ('list' in v) return { items: v.list.map((x) => this.value(x)) }
    if ('sym' in v) return this.options.symbols.resolve(v.sym) ?? { opaque: v.sym }
    return v
  }

  private evaluate(node: RunNode): Value {
    if (node.body && !hasOwnKernel(innerTarget(node) ?? node.target)) {
      for (const inner of node.body.nodes) this.env.set(inner.name, this.evaluate(inner))
      return this.value(node.body.result)
    }
    return this.call(node)
  }

  private call(node: RunNode): Value {
    const args = node.args.map((a) => this.value(a))
    const kwargs = Object.fromEntries(Object.entries(node.kwargs).map(([k, v]) => [k, this.value(v)]))
    switch (node.target) {
      case 'operator.getitem':
        return this.getitem(node, args)
      case AS_COMPUTED:
        this.frozen.add(node.name)
        return args[0]!
      case 'aten.empty.memory_format':
      case 'aten.empty.default':
      case 'aten.empty_strided.default':
      case 'aten.empty_like.default':
      case 'aten.new_empty.default':
        return { fresh: factoryView(this, node, args, kwargs) }
      case 'aten.view.default':
      case 'aten.reshape.default':
      case 'aten._unsafe_view.default':
      case 'aten.flatten.using_ints':
        return reshape(this, node, args)
      case 'aten.view.dtype':
        return reinterpret(this, node, args)
      case 'aten.cat.default':
      case 'aten.stack.default':
        return cat(this, node, args, kwargs)
      case 'aten.index.Tensor':
      case 'aten._unsafe_index.Tensor':
        return index(this, node, args)
      case 'aten.index_put.default':
        return indexPut(this, node, args)
      case 'aten.sym_size.int': {
        const t = args[0]
        if (t !== undefined && (isTensor(t) || isFresh(t)))
          return (isTensor(t) ? t.view : t.fresh).shape.at(Number(args[1]))!
        break
      }
      case 'prims.iota.default':
      case 'aten.arange.default':
        return callTarget(this, node, 'prims.iota.default', { args, kwargs: withoutOptions(kwargs) })
      case 'aten.arange.start':
      case 'aten.arange.start_step':
        return this.arange(node, args, kwargs)
      case 'higher_order.auto_functionalized':
        return functionalized(this, node, kwargs)
      case 'higher_order.auto_functionalized_v2':
        return functionalizedV2(this, node, kwargs)
    }
    const fill = fillOf(node.target, args, kwargs)
    if (fill !== null) {
      const view = factoryView(this, node, args, kwargs)
      return { slot: this.slot(view, { fill, dtype: view.dtype }), view }
    }
    const made = viewed(this, node, args, kwargs) ?? overwritten(this, node, args)
    if (made !== null) return made
    const inPlace = /^aten\.([a-z]\w*[a-z])_\.(\w+)$/.exec(node.target)
    if (inPlace && !findKernel(node.target)) return this.inPlace(node, `aten.${inPlace[1]}.${inPlace[2]}`)
    const number = arithmetic(node.target, args)
    return number ?? callTarget(this, node, node.target, { args, kwargs })
  }

  /** `arange(start, end, step)` as an iota over its count of steps. */
  private arange(node: RunNode, args: readonly Value[], kwargs: Record<string, Value>): Value {
    const [start, end, step] = [Number(args[0]), Number(args[1]), Number(args[2] ?? 1)]
    const length = Math.max(0, Math.ceil((end - start) / step))
    return callTarget(this, node, 'prims.iota.default', {
      args: [length],
      kwargs: { ...withoutOptions(kwargs), start, step },
    })
  }

  /** Lowers `add_` as `add`, whose result then replaces the argument. */
  private inPlace(node: RunNode, target: string): Value {
    const result = this.evaluate({ ...node, target })
    const [self] = node.args
    if (self === undefined || !isNodeRef(self)) return result
    this.written(node, self.node, result)
    return this.env.get(self.node)!
  }

  private getitem(node: RunNode, args: Value[]): Value {
    const [list, index] = args
    if (list === undefined || !isItems(list) || typeof index !== 'number' || list.items[index] === undefined)
      throw new CannotRun(`${node.name} takes item ${String(index)} of a node that does not return it`)
    return list.items[index]!
  }

  withTokens(shape: readonly number[]): readonly number[] {
    const { tokens, ownTokens } = this.options
    if (tokens === null || ownTokens == null || tokens === ownTokens || shape.length < 2 || shape[0] !== ownTokens)
      return shape
    return [tokens, ...shape.slice(1)]
  }

  refuse<T>(node: RunNode, target: string, work: () => T): T {
    try {
      return work()
    } catch (e) {
      if (e instanceof KernelRefusal) throw new CannotRun(`${target} (${node.name}): ${e.message}`)
      throw e
    }
  }

  copied(node: RunNode, from: Located, into?: Located): Located {
    const view = { ...from.view, stride: contiguousStrides(from.view.shape), offset: 0 }
    const to = into ?? { slot: this.slot(view, null), view }
    const call: KernelCall = { tensors: { self: from.view, result: to.view }, attrs: { dtype: to.view.dtype } }
    this.push(node, node.target, copyKernel, call, { self: from.slot, result: to.slot })
    return to
  }

  read(v: Located | Unwritten, what: string): Located {
    if (isTensor(v)) return v
    this.note(`${what} is read before anything writes it; it holds zeros here`)
    return { slot: this.slot(v.fresh, { fill: 0, dtype: v.fresh.dtype }), view: v.fresh }
  }

  bytes(slot: number): number {
    return this.out.slots[slot]!.bytes
  }

  written(node: RunNode, name: string, value: Value): void {
    writeThrough(this, node, { values: this.env, frozen: this.frozen }, name, value)
  }

  note(text: string): void {
    if (!this.out.notes.includes(text)) this.out.notes.push(text)
  }

  push(node: RunNode, target: string, kernel: Kernel, call: KernelCall, slots: Record<string, number>): void {
    let bytesRead = 0
    let bytesWritten = 0
    for (const p of kernel.params) {
      const t = call.tensors[p.name]
      if (!t) continue
      const bytes = numel(t.shape) * DTYPES[t.dtype].bytes
      if (p.kind !== 'out') bytesRead += bytes
      if (p.kind === 'out' || call.tensors[`${p.name}_out`]) bytesWritten += bytes
    }
    this.out.steps.push({ node: node.name, target, kernel, call, slots, bytesRead, bytesWritten })
  }
}
