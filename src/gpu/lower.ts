/** A program as steps over storage slots: views resolved, functionalised mutation undone. The same for every device. */
import { copyKernel } from '../ops/aten/kernels'
import { DTYPES, dtypeInfo } from '../ops/dtype'
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
import { fillOf } from './factories'
import { bind, innerTarget, isNodeRef } from './lower_inputs'
import { cat, index, indexPut, reinterpret, reshape, type Lowers } from './lower_shapes'
import {
  arithmetic,
  CannotRun,
  denseLike,
  flattened,
  isFresh,
  isItems,
  isTensor,
  plain,
  viewOf,
  withoutOptions,
  type Located,
  type Lowered,
  type Slot,
  type Unwritten,
  type Value,
} from './lower_values'
import { findKernel } from './registry'
import type { Symbols } from './symbols'
import type { RunInput, RunNode, RunProgram, RunValue } from './types'
import { viewOperator } from './views'

export { inputRoles, rowInputsOf } from './lower_inputs'
export { CannotRun, viewOf, type Located, type Lowered, type Slot, type Step } from './lower_values'

export interface LowerOptions {
  symbols: Symbols
  /** Replaces the first dimension of `rowInputs`. */
  tokens: number | null
  rowInputs: ReadonlySet<string>
  /** The token count that `tokens` takes the place of, also where the program itself says it. */
  ownTokens?: number | null
}

export function lower(program: RunProgram, options: LowerOptions): Lowered {
  return new Lowering(program, options).run()
}

class Lowering implements Lowers {
  private readonly out: Lowered = { slots: [], steps: [], inputs: [], outputs: [], notes: [] }
  private readonly env = new Map<string, Value>()
  private readonly uses = new Map<string, number>()
  readonly symbols: Symbols

  constructor(
    private readonly program: RunProgram,
    private readonly options: LowerOptions,
  ) {
    this.symbols = options.symbols
  }

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

  slot(view: TensorView, init: Slot['init']): number {
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

  /** A step that copies `from` into dense storage of its own, or into `into`. */
  copied(node: RunNode, from: Located, into?: Located): Located {
    const view = { ...from.view, stride: contiguousStride(from.view.shape), offset: 0 }
    const to = into ?? { slot: this.slot(view, null), view }
    const call: KernelCall = { tensors: { self: from.view, result: to.view }, attrs: { dtype: to.view.dtype } }
    this.push(node, node.target, copyKernel, call, { self: from.slot, result: to.slot })
    return to
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
  read(v: Located | Unwritten, what: string): Located {
    if (isTensor(v)) return v
    this.out.notes.push(`${what} is read before anything writes it; it holds zeros here`)
    return { slot: this.slot(v.fresh, { fill: 0, dtype: v.fresh.dtype }), view: v.fresh }
  }

  call(
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
      } else if (param.kind === 'out') {
        if (param.optional) attrs[param.name] = v !== null
      } else if (v === null || v === undefined) {
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
    const kept = kernel.keeps?.(call) ?? []
    const alone = /^(?:aten|prims)\./.test(target) && Object.keys(specs).length === 1
    for (const param of kernel.params) {
      if (param.kind === 'inout' && tensors[param.name] && !kept.includes(param.name)) {
        const view = { ...tensors[param.name]!, offset: 0 }
        const written = { ...view, stride: denseLike(view.stride, view.shape) }
        tensors[`${param.name}_out`] = written
        slots[`${param.name}_out`] = this.slot(written, null)
      }
      const made = specs[param.name]
      if (param.kind !== 'out' || !made) continue
      const v = given.get(param)
      const like = v === undefined ? null : isTensor(v) ? v.view : isFresh(v) ? v.fresh : null
      const spec = like && made.flattens ? flattened(made, like.shape.length) : made
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
      const name = p.kind === 'inout' && !kept.includes(p.name) ? `${p.name}_out` : p.name
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
      if (p.kind === 'out' || call.tensors[`${p.name}_out`]) bytesWritten += bytes
    }
    this.out.steps.push({ node: node.name, target, kernel, call, slots, bytesRead, bytesWritten })
  }
}
