/** A program as steps over storage slots: views resolved, functionalised mutation undone. The same for every device. */
import type { TensorMeta } from '../fx'
import { DTYPES, dtypeInfo, type DTypeName } from '../ops/dtype'
import {
  contiguousStride,
  isContiguous,
  KernelRefusal,
  numel,
  PARALLEL,
  type AttrValue,
  type Kernel,
  type KernelCall,
  type Param,
  type TensorView,
} from '../ops/kernel'
import { convertElementType } from '../ops/prims/convert_element_type'
import { findKernel } from './registry'
import type { Symbols } from './symbols'
import type { RunInput, RunNode, RunProgram, RunValue } from './types'

/** Why a program cannot run, as a sentence for the report. */
export class CannotRun extends Error {}

export interface Slot {
  bytes: number
  /** Name of the program input it holds; a constant it is filled with; or written by a step before it is read. */
  init: { input: string } | { fill: number; dtype: DTypeName } | null
}

export interface Located {
  slot: number
  view: TensorView
}

export interface Step {
  node: string
  target: string
  kernel: Kernel
  call: KernelCall
  slots: Readonly<Record<string, number>>
  bytesRead: number
  bytesWritten: number
}

export interface Lowered {
  slots: Slot[]
  steps: Step[]
  inputs: { name: string; at: Located }[]
  outputs: { name: string; at: Located }[]
  notes: string[]
}

/** A tensor made by `empty` that nothing has written: it gets storage when an operator fills it. */
interface Unwritten {
  fresh: TensorView
}
type Value =
  Located | Unwritten | AttrValue | { items: Value[] } | { op: string } | { dtype: string } | { opaque: string }

const isTensor = (v: Value): v is Located => typeof v === 'object' && v !== null && 'slot' in v
const isFresh = (v: Value): v is Unwritten => typeof v === 'object' && v !== null && 'fresh' in v
const isItems = (v: Value): v is { items: Value[] } => typeof v === 'object' && v !== null && 'items' in v

export interface LowerOptions {
  symbols: Symbols
  /** Replaces the first dimension of `rowInputs`. */
  tokens: number | null
  rowInputs: ReadonlySet<string>
}

/** The tensor's shape and strides in numbers. Throws CannotRun for a dtype or size it cannot. */
export function viewOf(name: string, meta: TensorMeta, symbols: Symbols): TensorView {
  const dtype = dtypeInfo(meta.dtype)
  if (!dtype) throw new CannotRun(`cannot run: the dtype ${meta.dtype} of ${name} is not supported`)
  const number = (d: number | string): number => {
    const n = symbols.resolve(d)
    if (n === null) throw new CannotRun(`cannot run: the size ${d} of ${name} cannot be worked out`)
    return n
  }
  const shape = meta.shape.map(number)
  return { dtype: dtype.name, shape, stride: meta.stride?.map(number) ?? contiguousStride(shape), offset: 0 }
}

/** Calls `visit` for each program input that an operator takes directly, with the parameter it is taken as. */
function eachInputUse(program: RunProgram, visit: (name: string, param: Param) => void): void {
  const inputs = new Set(program.inputs.map((i) => i.name))
  for (const node of program.nodes) {
    const inner = innerTarget(node)
    const kernel = findKernel(inner ?? node.target)?.kernel
    if (!kernel) continue
    bind(kernel, inner ? [] : node.args, node.kwargs, (param, value) => {
      if (isNodeRef(value) && inputs.has(value.node)) visit(value.node, param)
    })
  }
}

/** Inputs whose first dimension is the token count: those that operators take as such. */
export function rowInputsOf(program: RunProgram): Set<string> {
  const rows = new Set<string>()
  eachInputUse(program, (name, param) => {
    if (param.rows) rows.add(name)
  })
  return rows
}

/** Inputs that are scales or weights. */
export function inputRoles(program: RunProgram): Map<string, 'scale' | 'weight'> {
  const roles = new Map<string, 'scale' | 'weight'>()
  eachInputUse(program, (name, param) => {
    if (param.sample) roles.set(name, param.sample)
  })
  return roles
}

const isNodeRef = (v: RunValue): v is { node: string } => typeof v === 'object' && v !== null && 'node' in v

function innerTarget(node: RunNode): string | null {
  if (!node.target.startsWith('higher_order.auto_functionalized')) return null
  const op = node.args[0]
  return typeof op === 'object' && op !== null && 'op' in op ? op.op : null
}

function bind<T>(
  kernel: Kernel,
  args: readonly T[],
  kwargs: Readonly<Record<string, T>>,
  put: (p: Param, v: T) => void,
): string[] {
  const params = kernel.functional ? kernel.params.filter((p) => p.kind !== 'out') : kernel.params
  const unknown: string[] = []
  args.forEach((v, i) => {
    const p = params[i]
    if (p) put(p, v)
    else unknown.push(`argument ${i}`)
  })
  for (const [key, v] of Object.entries(kwargs)) {
    const p = params.find((q) => q.name === key || q.aliases?.includes(key))
    if (p) put(p, v)
    else unknown.push(key)
  }
  return unknown
}

export function lower(program: RunProgram, options: LowerOptions): Lowered {
  return new Lowering(program, options).run()
}

class Lowering {
  private readonly out: Lowered = { slots: [], steps: [], inputs: [], outputs: [], notes: [] }
  private readonly env = new Map<string, Value>()
  private readonly uses = new Map<string, number>()

  constructor(
    private readonly program: RunProgram,
    private readonly options: LowerOptions,
  ) {}

  run(): Lowered {
    for (const node of this.program.nodes)
      for (const v of [...node.args, ...Object.values(node.kwargs)]) this.countUses(v)
    for (const name of this.program.outputs) this.uses.set(name, (this.uses.get(name) ?? 0) + 1)
    for (const input of this.program.inputs) this.addInput(input)
    for (const node of this.program.nodes) this.env.set(node.name, this.evaluate(node))
    for (const name of this.program.outputs) {
      const v = this.env.get(name)
      if (v === undefined || !(isTensor(v) || isFresh(v)))
        throw new CannotRun(`cannot run: output ${name} is no tensor`)
      this.out.outputs.push({ name, at: this.read(v, name) })
    }
    return this.out
  }

  private countUses(v: RunValue): void {
    if (typeof v !== 'object' || v === null) return
    if ('node' in v) this.uses.set(v.node, (this.uses.get(v.node) ?? 0) + 1)
    else if ('list' in v) v.list.forEach((x) => this.countUses(x))
  }

  private addInput({ name, meta }: RunInput): void {
    const { symbols, tokens, rowInputs } = this.options
    let view = viewOf(name, meta, symbols)
    if (tokens !== null && rowInputs.has(name) && view.shape.length > 0) {
      const shape = [tokens, ...view.shape.slice(1)]
      // Rows keep their distance; any other layout of a first dimension is made dense.
      const rowMajor = view.shape.length === 1 || view.stride[0]! >= numel(view.shape.slice(1))
      view = { ...view, shape, stride: rowMajor ? view.stride : denseLike(view.stride, shape) }
    }
    const at = { slot: this.slot(view, { input: name }), view }
    this.env.set(name, at)
    this.out.inputs.push({ name, at })
  }

  private slot(view: TensorView, init: Slot['init']): number {
    const last = view.shape.reduce((sum, n, i) => sum + Math.max(0, n - 1) * view.stride[i]!, view.offset)
    const elements = numel(view.shape) === 0 ? 0 : last + 1
    // Whole 16-byte words, so that eight 16-bit elements at a time never reach past the end.
    const bytes = Math.max(16, Math.ceil((elements * DTYPES[view.dtype].bytes) / 16) * 16)
    return this.out.slots.push({ bytes, init }) - 1
  }

  private value(v: RunValue): Value {
    if (typeof v !== 'object' || v === null) return v
    if ('node' in v) {
      const found = this.env.get(v.node)
      if (found === undefined)
        throw new CannotRun(`cannot run: ${v.node} is used but is no tensor or result of the program`)
      return found
    }
    if ('list' in v) return { items: v.list.map((x) => this.value(x)) }
    if ('sym' in v) return this.options.symbols.resolve(v.sym) ?? { opaque: v.sym }
    return v
  }

  private evaluate(node: RunNode): Value {
    const args = node.args.map((a) => this.value(a))
    const kwargs = Object.fromEntries(Object.entries(node.kwargs).map(([k, v]) => [k, this.value(v)]))
    switch (node.target) {
      case 'operator.getitem':
        return this.getitem(node, args)
      case 'aten.empty.memory_format':
      case 'aten.empty.default':
      case 'aten.empty_strided.default':
      case 'aten.empty_like.default':
      case 'aten.new_empty.default':
        return { fresh: this.metaOf(node, args, kwargs) }
      case 'aten.full.default': {
        const view = this.metaOf(node, args, kwargs)
        const fill = args[1]
        if (typeof fill !== 'number')
          throw new CannotRun(`cannot run: ${node.name} is filled with something other than a number`)
        return { slot: this.slot(view, { fill, dtype: view.dtype }), view }
      }
      case 'aten.permute.default':
        return this.permute(node, args)
      case 'aten.view.default':
      case 'aten.reshape.default':
      case 'aten._unsafe_view.default':
        return this.reshape(node, args)
      case 'higher_order.auto_functionalized':
        return this.functionalized(node, kwargs)
      case 'higher_order.auto_functionalized_v2':
        return this.functionalizedV2(node, kwargs)
    }
    return this.call(node, node.target, args, kwargs, false)
  }

  /** What a factory makes: the dump's word where it has one, else its arguments. */
  private metaOf(node: RunNode, args: Value[], kwargs: Record<string, Value>): TensorView {
    if (node.meta) return viewOf(node.name, node.meta, this.options.symbols)
    const size = args[0]
    const shape = size !== undefined && isItems(size) ? size.items : []
    const dtype = kwargs['dtype']
    const name = typeof dtype === 'object' && dtype !== null && 'dtype' in dtype ? dtype.dtype : 'float32'
    if (!shape.every((n) => typeof n === 'number'))
      throw new CannotRun(`cannot run: the size of ${node.name} is not known`)
    const info = dtypeInfo(name)
    if (!info) throw new CannotRun(`cannot run: the dtype ${name} of ${node.name} is not supported`)
    const sizes = shape as number[]
    return { dtype: info.name, shape: sizes, stride: contiguousStride(sizes), offset: 0 }
  }

  private getitem(node: RunNode, args: Value[]): Value {
    const [list, index] = args
    if (list === undefined || !isItems(list) || typeof index !== 'number' || list.items[index] === undefined)
      throw new CannotRun(`cannot run: ${node.name} takes item ${String(index)} of a node that does not return it`)
    return list.items[index]!
  }

  private permute(node: RunNode, args: Value[]): Value {
    const dims = args[1]
    const t = args[0]
    if (t === undefined || !(isTensor(t) || isFresh(t)) || dims === undefined || !isItems(dims))
      throw new CannotRun(`cannot run: ${node.name} does not permute a tensor`)
    const view = isTensor(t) ? t.view : t.fresh
    const order = dims.items.map((d) => (Number(d) < 0 ? Number(d) + view.shape.length : Number(d)))
    const permuted = { ...view, shape: order.map((d) => view.shape[d]!), stride: order.map((d) => view.stride[d]!) }
    return isTensor(t) ? { slot: t.slot, view: permuted } : { fresh: permuted }
  }

  private reshape(node: RunNode, args: Value[]): Value {
    const [t, size] = args
    if (t === undefined || !(isTensor(t) || isFresh(t)) || size === undefined || !isItems(size))
      throw new CannotRun(`cannot run: ${node.name} does not reshape a tensor`)
    const view = isTensor(t) ? t.view : t.fresh
    if (!isContiguous(view))
      throw new CannotRun(`cannot run: ${node.target} of a tensor that is not contiguous (${node.name})`)
    const sizes = size.items.map(Number)
    const total = numel(view.shape)
    const hole = sizes.indexOf(-1)
    if (hole >= 0) sizes[hole] = total / sizes.reduce((a, n) => (n === -1 ? a : a * n), 1)
    if (numel(sizes) !== total)
      throw new CannotRun(
        `cannot run: ${node.name} makes [${sizes.join(', ')}] of [${view.shape.join(', ')}]; a fixed size stands in the way of another token count`,
      )
    const reshaped = { ...view, shape: sizes, stride: contiguousStride(sizes) }
    return isTensor(t) ? { slot: t.slot, view: reshaped } : { fresh: reshaped }
  }

  private functionalized(node: RunNode, kwargs: Record<string, Value>): Value {
    const target = innerTarget(node)
    if (!target) throw new CannotRun(`cannot run: ${node.name} does not say which operator it wraps`)
    return this.call(node, target, [], kwargs, true)
  }

  /**
   * auto_functionalized_v2(op, …, _x_base_index=i, _all_bases=[…]) returns (result, *bases after the call). A mutated
   * argument is given as a base, whole (`_x_alias`) or as a view (`_x_size`, `_x_stride`, `_x_storage_offset`).
   */
  private functionalizedV2(node: RunNode, kwargs: Record<string, Value>): Value {
    const target = innerTarget(node)
    const bases = kwargs['_all_bases']
    if (!target || bases === undefined || !isItems(bases))
      throw new CannotRun(`cannot run: ${node.name} does not say which operator it wraps`)
    const own: Record<string, Value> = {}
    const baseOf = new Map<string, number>()
    for (const [key, v] of Object.entries(kwargs)) {
      const found = /^_(.+)_base_index$/.exec(key)
      if (found && typeof v === 'number') {
        baseOf.set(found[1]!, v)
        own[found[1]!] = bases.items[v] ?? null
        if (kwargs[`_${found[1]}_size`] !== undefined || kwargs[`_${found[1]}_slice_dim`] !== undefined)
          throw new CannotRun(`cannot run: ${node.name} mutates a view of its base \`${found[1]}\``)
      } else if (found) own[found[1]!] = null
      else if (!key.startsWith('_')) own[key] = v
    }
    const kernel = findKernel(target)?.kernel
    const results = this.call(node, target, [], own, true)
    const after = [...bases.items]
    const mutated = kernel?.params.filter((p) => p.kind !== 'in' && p.kind !== 'attr') ?? []
    if (isItems(results))
      mutated.forEach((p, i) => {
        const name = [p.name, ...(p.aliases ?? [])].find((n) => baseOf.has(n))
        if (name !== undefined) after[baseOf.get(name)!] = results.items[i + 1]!
      })
    return { items: [null, ...after] }
  }

  /** A tensor that is read. One that nothing wrote reads as zeros here: torch leaves its contents open. */
  private read(v: Located | Unwritten, what: string): Located {
    if (isTensor(v)) return v
    this.out.notes.push(`${what} is read before anything writes it; it holds zeros here`)
    return { slot: this.slot(v.fresh, { fill: 0, dtype: v.fresh.dtype }), view: v.fresh }
  }

  private call(
    node: RunNode,
    target: string,
    args: Value[],
    kwargs: Record<string, Value>,
    functionalized: boolean,
  ): Value {
    const found = findKernel(target)
    if (!found) throw new CannotRun(`cannot run: no kernel for ${target}`)
    if (found.note && !this.out.notes.includes(found.note)) this.out.notes.push(found.note)
    const { kernel } = found
    const tensors: Record<string, TensorView | null> = {}
    const slots: Record<string, number> = {}
    const attrs: Record<string, AttrValue> = {}
    const given = new Map<Param, Value>()
    const unknown = bind(kernel, args, kwargs, (p, v) => given.set(p, v))
    if (unknown.length > 0) throw new CannotRun(`cannot run: ${target} as known here takes no \`${unknown[0]}\``)

    for (const param of kernel.params) {
      const v = given.get(param) ?? param.default ?? null
      if (param.kind === 'attr') {
        if (typeof v === 'object' && v !== null) {
          if (!('dtype' in v))
            throw new CannotRun(`cannot run: the argument \`${param.name}\` of ${node.name} is no plain value`)
          attrs[param.name] = v.dtype
        } else attrs[param.name] = v
      } else if (param.kind === 'out') continue
      else if (v === null || v === undefined) {
        if (!param.optional) throw new CannotRun(`cannot run: ${node.name} has no \`${param.name}\``)
        tensors[param.name] = null
      } else {
        if (!(isTensor(v) || isFresh(v)))
          throw new CannotRun(`cannot run: the argument \`${param.name}\` of ${node.name} is no tensor`)
        const at = this.read(v, `\`${param.name}\` of ${node.name}`)
        tensors[param.name] = at.view
        slots[param.name] = at.slot
      }
    }

    const call: KernelCall = { tensors, attrs }
    const refuse = <T>(work: () => T): T => {
      try {
        return work()
      } catch (e) {
        if (e instanceof KernelRefusal) throw new CannotRun(`cannot run: ${target} (${node.name}): ${e.message}`)
        throw e
      }
    }
    const specs = refuse(() => kernel.outputs(call))
    for (const param of kernel.params) {
      if (param.kind === 'inout' && tensors[param.name]) {
        const view = { ...tensors[param.name]!, offset: 0 }
        const written = { ...view, stride: denseLike(view.stride, view.shape) }
        tensors[`${param.name}_out`] = written
        slots[`${param.name}_out`] = this.slot(written, null)
      }
      if (param.kind !== 'out') continue
      const spec = specs[param.name]!
      const v = given.get(param)
      const like = v === undefined ? null : isTensor(v) ? v.view : isFresh(v) ? v.fresh : null
      const dtype = spec.dtype ?? like?.dtype ?? (kernel.functional ? param.dtype : undefined)
      if (!dtype || (!like && !kernel.functional))
        throw new CannotRun(`cannot run: ${node.name} has no \`${param.name}\` to write to`)
      const same =
        like !== null && like.shape.length === spec.shape.length && like.shape.every((n, i) => n === spec.shape[i])
      if (like && !same && this.options.tokens === null && numel(like.shape) > 0)
        throw new CannotRun(
          `cannot run: \`${param.name}\` of ${node.name} has shape [${like.shape.join(', ')}], the operator writes [${spec.shape.join(', ')}]`,
        )
      if (like && like.dtype !== dtype)
        throw new CannotRun(
          `cannot run: \`${param.name}\` of ${node.name} is ${like.dtype}, the operator writes ${dtype}`,
        )
      const stride =
        like === null
          ? (spec.stride ?? contiguousStride(spec.shape))
          : same
            ? like.stride
            : denseLike(like.stride, spec.shape)
      const view: TensorView = { dtype, shape: spec.shape, stride, offset: 0 }
      tensors[param.name] = view
      // auto_functionalized clones what is mutated. An `out` argument is written whole and never read, so fresh storage
      // of the same layout means the same and costs no copy; it is also what Inductor's reinplacing leaves of an `empty`
      // that is used once.
      slots[param.name] = this.slot(view, null)
    }
    // Refusals of layouts belong here, before anything runs.
    refuse(() => kernel.plan(call, PARALLEL))
    this.push(node, target, kernel, call, slots)

    const located = (p: Param): Value => {
      const name = p.kind === 'inout' ? `${p.name}_out` : p.name
      return tensors[name] ? { slot: slots[name]!, view: tensors[name]! } : null
    }
    const mutated = kernel.params.filter((p) => p.kind === 'out' || p.kind === 'inout' || p.kind === 'kept')
    if (kernel.functional) return mutated.length === 1 ? located(mutated[0]!) : { items: mutated.map(located) }
    if (!functionalized) this.writeBack(node, kernel, mutated, located)
    return { items: [null, ...mutated.map(located)] }
  }

  /** A direct call of a mutating operator: the argument's name now stands for the written tensor. */
  private writeBack(node: RunNode, kernel: Kernel, mutated: Param[], located: (p: Param) => Value): void {
    bind(kernel, node.args, node.kwargs, (p, v) => {
      if (mutated.includes(p) && isNodeRef(v)) this.env.set(v.node, located(p))
    })
  }

  private push(node: RunNode, target: string, kernel: Kernel, call: KernelCall, slots: Record<string, number>): void {
    let bytesRead = 0
    let bytesWritten = 0
    for (const p of kernel.params) {
      const t = call.tensors[p.name]
      if (!t) continue
      const bytes = numel(t.shape) * DTYPES[t.dtype].bytes
      if (p.kind !== 'out') bytesRead += bytes
      if (p.kind === 'out' || p.kind === 'inout') bytesWritten += bytes
    }
    this.out.steps.push({ node: node.name, target, kernel, call, slots, bytesRead, bytesWritten })
  }
}

/** Dense strides for `shape` in the memory order that `stride` has. */
function denseLike(stride: readonly number[], shape: readonly number[]): number[] {
  if (stride.length !== shape.length) return contiguousStride(shape)
  const order = stride.map((_, i) => i).sort((a, b) => stride[b]! - stride[a]! || a - b)
  const dense = new Array<number>(shape.length)
  let s = 1
  for (const d of order.reverse()) {
    dense[d] = s
    s *= Math.max(1, shape[d]!)
  }
  return dense
}
