/** A program as steps over storage slots: views resolved, functionalised mutation undone. The same for every device. */
import type { TensorMeta } from '../fx'
import { DTYPES, dtypeInfo, type DTypeName } from '../ops/dtype'
import {
  contiguousStride,
  KernelRefusal,
  numel,
  PARALLEL,
  type AttrValue,
  type Kernel,
  type KernelCall,
  type Param,
  type TensorView,
} from '../ops/kernel'
import { copyKernel, indexOne } from '../ops/aten/kernels'
import { fillOf } from './factories'
import { findKernel } from './registry'
import type { Symbols } from './symbols'
import { reshaped, sizesOf, viewOperator } from './views'
import type { RunInput, RunNode, RunProgram, RunValue } from './types'

/** Why a program cannot run, as a sentence for the report. */
export class CannotRun extends Error {
  /** The node that is to blame, where one is. */
  node?: string
}

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
  /** The token count that `tokens` takes the place of, also where the program itself says it. */
  ownTokens?: number | null
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
      case 'aten.view.default':
      case 'aten.reshape.default':
      case 'aten._unsafe_view.default':
      case 'aten.flatten.using_ints':
        return this.reshape(node, args)
      case 'aten.view.dtype':
        return this.reinterpret(node, args)
      case 'aten.cat.default':
      case 'aten.stack.default':
        return this.cat(node, args, kwargs)
      case 'aten.index.Tensor':
        return this.index(node, args)
      case 'aten.sym_size.int': {
        const t = args[0]
        if (t !== undefined && (isTensor(t) || isFresh(t)))
          return (isTensor(t) ? t.view : t.fresh).shape.at(Number(args[1]))!
        break
      }
      case 'prims.iota.default':
      case 'aten.arange.default':
        return this.call(node, 'prims.iota.default', args, withoutOptions(kwargs), false)
      case 'aten.arange.start':
      case 'aten.arange.start_step': {
        const [start, end, step] = [Number(args[0]), Number(args[1]), Number(args[2] ?? 1)]
        const length = Math.max(0, Math.ceil((end - start) / step))
        return this.call(node, 'prims.iota.default', [length], { ...withoutOptions(kwargs), start, step }, false)
      }
      case 'higher_order.auto_functionalized':
        return this.functionalized(node, kwargs)
      case 'higher_order.auto_functionalized_v2':
        return this.functionalizedV2(node, kwargs)
    }
    const fill = fillOf(node.target, args, kwargs)
    if (fill !== null) {
      const view = this.metaOf(node, args, kwargs)
      return { slot: this.slot(view, { fill, dtype: view.dtype }), view }
    }
    const viewed = this.viewed(node, args, kwargs)
    if (viewed !== null) return viewed
    const number = arithmetic(node.target, args)
    return number ?? this.call(node, node.target, args, kwargs, false)
  }

  /** What a factory makes: the dump's word where it has one, else its arguments. */
  private metaOf(node: RunNode, args: Value[], kwargs: Record<string, Value>): TensorView {
    if (node.meta) {
      const view = viewOf(node.name, node.meta, this.options.symbols)
      const shape = this.withTokens(view.shape)
      return { ...view, shape, stride: shape === view.shape ? view.stride : denseLike(view.stride, shape) }
    }
    const like = args[0]
    if (like !== undefined && (isTensor(like) || isFresh(like)) && /_like\b/.test(node.target)) {
      const { dtype, shape } = isTensor(like) ? like.view : like.fresh
      const wanted = kwargs['dtype']
      const named = typeof wanted === 'object' && wanted !== null && 'dtype' in wanted ? dtypeInfo(wanted.dtype) : null
      return { dtype: named?.name ?? dtype, shape, stride: contiguousStride(shape), offset: 0 }
    }
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

  /** A shape that names the program's own token count, with the one that runs. */
  private withTokens(shape: readonly number[]): readonly number[] {
    const { tokens, ownTokens } = this.options
    if (tokens === null || ownTokens == null || tokens === ownTokens || shape.length < 2 || shape[0] !== ownTokens)
      return shape
    return [tokens, ...shape.slice(1)]
  }

  private refuse<T>(node: RunNode, target: string, work: () => T): T {
    try {
      return work()
    } catch (e) {
      if (e instanceof KernelRefusal) throw new CannotRun(`cannot run: ${target} (${node.name}): ${e.message}`)
      throw e
    }
  }

  /** The result of a view operator; null for any other. */
  private viewed(node: RunNode, args: Value[], kwargs: Record<string, Value>): Value | null {
    const operator = viewOperator(node.target)
    const t = args[0] ?? kwargs['self'] ?? kwargs['input']
    if (!operator || t === undefined || t === null || !(isTensor(t) || isFresh(t))) return null
    const arg = (name: string, position: number): AttrValue | undefined => {
      const v = args[position] ?? kwargs[name]
      return v === undefined ? undefined : plain(v)
    }
    const made = this.refuse(node, node.target, () =>
      operator(isTensor(t) ? t.view : t.fresh, (name, position) => {
        const v = arg(name, position)
        return name === 'size' && Array.isArray(v) ? this.withTokens(v as number[]) : v
      }),
    )
    const at = (view: TensorView): Value => (isTensor(t) ? { slot: t.slot, view } : { fresh: view })
    return Array.isArray(made) ? { items: made.map(at) } : at(made as TensorView)
  }

  private reshape(node: RunNode, args: Value[]): Value {
    const t = args[0]
    if (t === undefined || !(isTensor(t) || isFresh(t)))
      throw new CannotRun(`cannot run: ${node.name} does not reshape a tensor`)
    const view = isTensor(t) ? t.view : t.fresh
    const asked = args[1] === undefined ? null : plain(args[1])
    const wanted =
      node.target === 'aten.flatten.using_ints'
        ? flattened(view.shape, Number(args[1] ?? 0), Number(args[2] ?? -1))
        : Array.isArray(asked)
          ? asked.map(Number)
          : [Number(asked)]
    const fits = wanted.includes(-1) || numel(wanted) === numel(view.shape)
    const sizes = this.refuse(node, node.target, () => sizesOf(view, fits ? wanted : this.withTokens(wanted)))
    const made = reshaped(view, sizes)
    if (made) return isTensor(t) ? { slot: t.slot, view: made } : { fresh: made }
    if (node.target === 'aten.view.default')
      throw new CannotRun(`cannot run: ${node.target} of a tensor whose strides do not allow it (${node.name})`)
    const copy = this.copied(node, this.read(t, node.name))
    return { slot: copy.slot, view: { ...copy.view, shape: sizes, stride: contiguousStride(sizes) } }
  }

  /** The same bytes under another dtype of equal size. */
  private reinterpret(node: RunNode, args: Value[]): Value {
    const [t, wanted] = args
    const named = typeof wanted === 'object' && wanted !== null && 'dtype' in wanted ? dtypeInfo(wanted.dtype) : null
    if (t === undefined || !(isTensor(t) || isFresh(t)) || !named)
      throw new CannotRun(`cannot run: ${node.name} does not name a dtype that is supported`)
    const view = isTensor(t) ? t.view : t.fresh
    if (DTYPES[view.dtype].bytes !== named.bytes)
      throw new CannotRun(`cannot run: ${node.name} shows ${view.dtype} as ${named.name}, of another size`)
    const shown = { ...view, dtype: named.name }
    return isTensor(t) ? { slot: t.slot, view: shown } : { fresh: shown }
  }

  /** A step that copies `from` into dense storage of its own, or into `into`. */
  private copied(node: RunNode, from: Located, into?: Located): Located {
    const view = { ...from.view, stride: contiguousStride(from.view.shape), offset: 0 }
    const to = into ?? { slot: this.slot(view, null), view }
    const call: KernelCall = { tensors: { self: from.view, result: to.view }, attrs: { dtype: to.view.dtype } }
    this.push(node, node.target, copyKernel, call, { self: from.slot, result: to.slot })
    return to
  }

  /** One storage; each tensor is copied to its place in it. */
  private cat(node: RunNode, args: Value[], kwargs: Record<string, Value>): Value {
    const list = args[0] ?? kwargs['tensors'] ?? null
    const items = isItems(list) ? list.items.map((v) => this.tensorOf(v, node)) : []
    const first = items[0]
    if (!first) throw new CannotRun(`cannot run: ${node.name} joins no tensors`)
    const stacked = node.target.startsWith('aten.stack')
    const rank = first.view.shape.length + (stacked ? 1 : 0)
    const asked = Number(args[1] ?? kwargs['dim'] ?? 0)
    const d = asked < 0 ? asked + rank : asked
    const shown = items
      .filter((t) => stacked || t.view.shape.length > 1 || t.view.shape[0] !== 0)
      .map(({ slot, view }) => ({
        slot,
        view: stacked
          ? { ...view, shape: view.shape.toSpliced(d, 0, 1), stride: view.stride.toSpliced(d, 0, 0) }
          : view,
      }))
    const odd = shown.find(
      (t) => t.view.shape.length !== rank || t.view.shape.some((n, i) => i !== d && n !== shown[0]!.view.shape[i]),
    )
    if (odd) throw new CannotRun(`cannot run: ${node.name} joins tensors whose other sizes differ`)
    const total = shown.reduce((sum, t) => sum + t.view.shape[d]!, 0)
    const shape = shown[0]!.view.shape.map((n, i) => (i === d ? total : n))
    const meta = node.meta ? viewOf(node.name, node.meta, this.options.symbols) : null
    const view: TensorView = {
      dtype: meta?.dtype ?? first.view.dtype,
      shape,
      stride: contiguousStride(shape),
      offset: 0,
    }
    const slot = this.slot(view, null)
    let from = 0
    for (const t of shown) {
      const part = { ...view, shape: t.view.shape, offset: from * view.stride[d]! }
      if (numel(part.shape) > 0) this.copied(node, t, { slot, view: part })
      from += t.view.shape[d]!
    }
    return { slot, view }
  }

  /** `x[:, i]` with one index tensor; several at once are not handled. */
  private index(node: RunNode, args: Value[]): Value {
    const list = args[1] ?? null
    const items = isItems(list) ? list.items : []
    const dim = items.findIndex((v) => v !== null)
    if (dim < 0 || items.filter((v) => v !== null).length > 1)
      throw new CannotRun(`cannot run: ${node.name} takes more than one index tensor`)
    return this.call(node, node.target, [args[0]!, dim, items[dim]!], {}, false, indexOne)
  }

  private tensorOf(v: Value, node: RunNode): Located {
    if (isTensor(v) || isFresh(v)) return this.read(v, node.name)
    throw new CannotRun(`cannot run: an argument of ${node.name} is no tensor`)
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
    known?: Kernel,
  ): Value {
    const found = known ? { kernel: known, note: null } : findKernel(target)
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
        const value = v === undefined ? null : plain(v)
        if (value === undefined)
          throw new CannotRun(`cannot run: the argument \`${param.name}\` of ${node.name} is no plain value`)
        attrs[param.name] = value
      } else if (param.kind === 'out') continue
      else if (v === null || v === undefined) {
        if (!param.optional) throw new CannotRun(`cannot run: ${node.name} has no \`${param.name}\``)
        tensors[param.name] = null
      } else if (param.scalar && (typeof v === 'number' || typeof v === 'boolean')) {
        tensors[param.name] = null
        attrs[param.name] = v
      } else {
        if (!(isTensor(v) || isFresh(v)))
          throw new CannotRun(`cannot run: the argument \`${param.name}\` of ${node.name} is no tensor`)
        const at = this.read(v, `\`${param.name}\` of ${node.name}`)
        tensors[param.name] = at.view
        slots[param.name] = at.slot
      }
    }

    const call: KernelCall = { tensors, attrs }
    const refuse = <T>(work: () => T): T => this.refuse(node, target, work)
    const specs = refuse(() => kernel.outputs(call))
    const alone = /^(?:aten|prims)\./.test(target) && Object.keys(specs).length === 1
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
      // Where the dump says what a torch operator returned, it is right about Python's ints and floats, which look alike.
      const said = alone && node.meta ? viewOf(node.name, node.meta, this.options.symbols) : null
      const dtype = said?.dtype ?? spec.dtype ?? like?.dtype ?? (kernel.functional ? param.dtype : undefined)
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
          ? said && String(said.shape) === String(spec.shape)
            ? said.stride
            : (spec.stride ?? contiguousStride(spec.shape))
          : same
            ? like.stride
            : (spec.stride ?? denseLike(like.stride, spec.shape))
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

/** A value as an attribute; undefined for tensors and operators. What has no meaning to a run is null. */
function plain(v: Value): AttrValue | undefined {
  if (typeof v !== 'object' || v === null) return v
  if ('dtype' in v) return v.dtype
  if ('opaque' in v) return null
  if (!isItems(v)) return undefined
  const list = v.items.map(plain)
  return list.every((x) => x !== undefined) ? list : undefined
}

const withoutOptions = (kwargs: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(kwargs).filter(([k]) => !['layout', 'pin_memory'].includes(k)))

function flattened(shape: readonly number[], from: number, to: number): number[] {
  const at = (d: number): number => (d < 0 ? d + shape.length : d)
  return [...shape.slice(0, at(from)), numel(shape.slice(at(from), at(to) + 1)), ...shape.slice(at(to) + 1)]
}

/** Python's arithmetic on sizes: `operator.mul(s, 4)`. */
function arithmetic(target: string, args: Value[]): number | null {
  const [a, b] = args
  if (!target.startsWith('operator.') || typeof a !== 'number' || typeof b !== 'number') return null
  switch (target) {
    case 'operator.add':
      return a + b
    case 'operator.sub':
      return a - b
    case 'operator.mul':
      return a * b
    case 'operator.floordiv':
      return Math.floor(a / b)
    case 'operator.mod':
      return ((a % b) + b) % b
    default:
      return null
  }
}
