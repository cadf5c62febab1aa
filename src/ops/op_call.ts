/** One call of an operator with its arguments bound by the schema; the input of shape rules and decompositions. */
import type { TorchRules } from '../base/torch_version'
import { device as deviceOf, type Device, type Dim, type TensorMeta } from '../fx'
import { isFake, isKind, isNumber, itemsOf, toDim, type DispatchArg, type FakeTensor } from './fake'
import type { OpSchema } from './schema/types'
import { contiguousStrides } from './strides'
import { TorchError } from './torch_error'

/** The part of the dispatcher that rules use. */
export interface Dispatcher {
  /** The PyTorch version of the trace. */
  readonly rules: TorchRules
  /** True while calls are functionalized, as in AOT's joint trace: no operator writes to its argument. */
  readonly functional: boolean
  /** Calls an operator; the call is traced if a trace is active and this is a decomposition. */
  call(name: string, args: readonly DispatchArg[], kwargs?: Readonly<Record<string, DispatchArg>>): DispatchArg
  /** A call that passes on its first `kept` arguments: in C++, an undefined tensor is not a default, so it is not dropped. */
  callKeeping(name: string, args: readonly DispatchArg[], kept: number): DispatchArg
  /** Runs as torch.no_grad() does. */
  withoutGrad<T>(run: () => T): T
  /** A tensor with its own storage. */
  fresh(meta: TensorMeta): FakeTensor
  /** Called when a rule reads a size (`x.size(0) == 1`): creates the node of a symbol that has none yet. */
  readSize(size: Dim): void
  /** The number of pieces into which split divides a symbolic size, with pieces of size `each`, by its hint; null if unknown. */
  pieces(size: Dim, each: number): number | null
  /** A tensor that shares the storage of another. */
  view(base: FakeTensor, meta: TensorMeta): FakeTensor
}

const CPU = deviceOf('cpu')

export class OpCall {
  constructor(
    private readonly dispatcher: Dispatcher,
    readonly schema: OpSchema,
    private readonly values: ReadonlyMap<string, DispatchArg>,
  ) {}

  /** The PyTorch version of the trace. */
  get rules(): TorchRules {
    return this.dispatcher.rules
  }

  get functional(): boolean {
    return this.dispatcher.functional
  }

  withoutGrad<T>(run: () => T): T {
    return this.dispatcher.withoutGrad(run)
  }

  /** The argument, or its default. Null for an unknown name too, because overloads have different parameters. */
  get(name: string): DispatchArg {
    return this.values.get(name) ?? null
  }

  /** Every argument, in the schema's order. */
  all(): DispatchArg[] {
    return this.schema.args.map((a) => this.get(a.name))
  }

  has(name: string): boolean {
    const v = this.values.get(name)
    return v !== undefined && v !== null
  }

  /**
   * The result of a rule (operator.ts); undefined without one.
   * @throws TorchError TypeError if the rule takes the first argument and that is not a tensor
   */
  by<T>(rule: ((c: OpCall, x: FakeTensor) => T) | undefined): T | undefined {
    const [first] = this.schema.args
    return rule && rule.length < 2 ? (rule as (c: OpCall) => T)(this) : rule?.(this, this.tensor(first!.name))
  }

  tensor(name: string): FakeTensor {
    const v = this.values.get(name)
    if (isFake(v)) return v
    throw new TorchError('TypeError', `${this.schema.name}: argument '${name}' must be a Tensor`)
  }

  maybeTensor(name: string): FakeTensor | null {
    const v = this.values.get(name)
    return isFake(v) ? v : null
  }

  tensors(name: string): FakeTensor[] {
    return (itemsOf(this.get(name)) ?? []).filter(isFake)
  }

  dim(name: string): Dim {
    return toDim(this.get(name))
  }

  /** An int that is not symbolic; `fallback` for None. */
  int(name: string, fallback = 0): number {
    const v = this.get(name)
    if (v === null) return fallback
    const d = toDim(v)
    if (typeof d === 'number') return d
    throw new TorchError('TypeError', `${this.schema.name}: argument '${name}' must not be symbolic`)
  }

  /** A list of dimensions; null when None. */
  dims(name: string): Dim[] | null {
    return itemsOf(this.get(name))?.map(toDim) ?? null
  }

  bool(name: string): boolean {
    return this.get(name) === true
  }

  string(name: string): string | null {
    const v = this.get(name)
    return typeof v === 'string' ? v : null
  }

  number(name: string): number | null {
    const v = this.get(name)
    return isNumber(v) ? Number(v) : null
  }

  dtype(name = 'dtype'): string | null {
    const v = this.get(name)
    if (isKind(v, 'dtype')) return (v as { name: string }).name
    return name === 'dtype' ? (this.madeInto()?.meta.dtype ?? null) : null
  }

  /** The tensor that a factory's out= overload writes to: it gives the dtype. */
  private madeInto(): FakeTensor | null {
    const out = this.values.get('out')
    const isFactory = this.schema.args.every((a) => a.written || !isFake(this.values.get(a.name) ?? null))
    return out !== undefined && isFake(out) && isFactory && this.schema.args.every((a) => a.name !== 'dtype')
      ? out
      : null
  }

  device(name = 'device'): Device | null {
    const v = this.get(name)
    if (typeof v === 'string') return parseDevice(v)
    return isKind(v, 'device') ? (v as Device) : null
  }

  memoryFormat(): string | null {
    const v = this.get('memory_format')
    return isKind(v, 'memory_format') ? (v as { name: string }).name : null
  }

  call(name: string, args: readonly DispatchArg[], kwargs?: Readonly<Record<string, DispatchArg>>): DispatchArg {
    return this.dispatcher.call(name, args, kwargs)
  }

  callKeeping(name: string, args: readonly DispatchArg[], kept: number): DispatchArg {
    return this.dispatcher.callKeeping(name, args, kept)
  }

  /** True if a size is 1, as decompositions test it. */
  isOne(size: Dim): boolean {
    this.dispatcher.readSize(size)
    return size === 1
  }

  pieces(size: Dim, each: number): number | null {
    return this.dispatcher.pieces(size, each)
  }

  /** Calls an operator with one tensor result. */
  op(name: string, ...args: DispatchArg[]): FakeTensor {
    return this.dispatcher.call(name, args) as FakeTensor
  }

  fresh(dtype: string, shape: readonly Dim[], device: Device | null, stride?: readonly Dim[]): FakeTensor {
    return this.dispatcher.fresh({
      kind: 'tensor',
      dtype,
      shape,
      stride: stride ?? contiguousStrides(shape),
      device: device ?? CPU,
    })
  }

  /** A view; omitted metadata is the base's. */
  view(base: FakeTensor, changed: Partial<TensorMeta>): FakeTensor {
    return this.dispatcher.view(base, { ...base.meta, ...changed })
  }
}

export function parseDevice(text: string): Device {
  const [type = 'cpu', index] = text.split(':')
  return deviceOf(type, index === undefined ? null : Number(index))
}

/** The device of the first tensor that is not a CPU scalar, else of the first tensor. */
export function commonDevice(tensors: readonly FakeTensor[]): Device | null {
  const first = tensors.find((t) => t.meta.shape.length > 0 || t.meta.device?.type !== 'cpu') ?? tensors[0]
  if (first)
    for (const t of tensors)
      if (t.meta.device && first.meta.device && !(t.meta.shape.length === 0 && t.meta.device.type === 'cpu'))
        if (
          t.meta.device.type !== first.meta.device.type ||
          (t.meta.device.index ?? 0) !== (first.meta.device.index ?? 0)
        )
          throw new TorchError(
            'RuntimeError',
            `Unhandled FakeTensor Device Propagation for the operator, found two different devices ${deviceText(first.meta.device)}, ${deviceText(t.meta.device)}`,
          )
  return first?.meta.device ?? null
}

const deviceText = (d: Device): string => (d.index === null ? d.type : `${d.type}:${d.index}`)

/**
 * Converts a dimension index from the end to one from the start.
 * @throws TorchError IndexError
 */
export function wrapDim(dim: number, rank: number): number {
  const range = Math.max(rank, 1)
  if (dim < -range || dim >= range)
    throw new TorchError(
      'IndexError',
      `Dimension out of range (expected to be in range of [${-range}, ${range - 1}], but got ${dim})`,
    )
  return dim < 0 ? dim + range : dim
}
