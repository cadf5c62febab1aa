/**
 * One call on tensors of torch.vmap (functorch's BatchedTensor). User code sees their logical sizes; the physical tensor
 * has one dimension more, at any position.
 */
import type { Dim, TensorMeta } from '../fx'
import { isFake, isTuple, visitFakes, type DispatchArg, type FakeTensor } from './fake'
import { wrapDim, type OpCall } from './op_call'
import { stridesOf } from './strides'
import { TorchError } from './torch_error'

/** A tensor as seen by a call at one level of vmap; `dim` is null for a tensor without a batch at this level. */
export interface Physical {
  value: FakeTensor
  dim: number | null
}

/** Metadata without the batch dimension. */
export function logicalMeta(meta: TensorMeta, dim: number): TensorMeta {
  const without = (dims: readonly Dim[]): Dim[] => dims.filter((_, i) => i !== dim)
  return { ...meta, shape: without(meta.shape), stride: without(stridesOf(meta)) }
}

export const unsupported = (what: string): TorchError =>
  new TorchError('NotImplementedError', `Fusescope's torch.vmap does not support ${what}`)

export class BatchedCall {
  readonly target: string

  /** @param batch makes the logical tensor for a physical one */
  constructor(
    readonly call: OpCall,
    readonly level: number,
    private readonly batch: (value: FakeTensor, dim: number, level: number) => FakeTensor,
    private readonly redispatch: (values: ReadonlyMap<string, DispatchArg>) => DispatchArg,
  ) {
    this.target = call.schema.name
  }

  physical(t: FakeTensor): Physical {
    return t.batch?.level === this.level ? { value: t.batch.value, dim: t.batch.dim } : { value: t, dim: null }
  }

  /** The physical tensor with the batch dimension first; a tensor without a batch is returned unchanged. */
  front(t: FakeTensor): FakeTensor {
    const { value, dim } = this.physical(t)
    return dim ? this.op('aten.movedim.int', value, BigInt(dim), 0n) : value
  }

  isBatched(t: DispatchArg): boolean {
    return isFake(t) && this.physical(t).dim !== null
  }

  /** The size of the batch. */
  get size(): Dim {
    for (const value of this.call.all()) {
      let size: Dim | null = null
      visitFakes(value, (t) => {
        const { value: v, dim } = this.physical(t)
        if (dim !== null) size ??= v.meta.shape[dim]!
      })
      if (size !== null) return size
    }
    throw new Error('a call without a batch')
  }

  op(name: string, ...args: DispatchArg[]): FakeTensor {
    return this.call.op(name, ...args)
  }

  /** The same operator with other arguments. */
  again(changed: Readonly<Record<string, DispatchArg>>): DispatchArg {
    const values = new Map(this.call.schema.args.map((a) => [a.name, this.call.get(a.name)]))
    for (const [name, value] of Object.entries(changed)) values.set(name, value)
    return this.redispatch(values)
  }

  /** Results with the batch dimension at `dim`. */
  wrap(out: DispatchArg, dim = 0): DispatchArg {
    if (isFake(out)) return this.batch(out, dim, this.level)
    if (isTuple(out)) return { kind: 'tuple', items: out.items.map((o) => this.wrap(o, dim)) }
    if (Array.isArray(out)) return (out as readonly DispatchArg[]).map((o) => this.wrap(o, dim))
    throw unsupported(`${this.target}, which returns no tensor`)
  }

  /** A logical dimension, counted in the tensor whose batch dimension comes first. */
  dim(dim: number, rank: number): bigint {
    return BigInt(wrapDim(dim, rank) + 1)
  }
}

/** Undefined: the rule does not apply to these arguments, and the operator may decompose. */
export type BatchRule = (b: BatchedCall) => DispatchArg | undefined

/** Rules by `sum.dim_IntList`, or by `permute` for all its overloads; one key may hold several names, separated by spaces. */
export type Batching = Readonly<Record<string, BatchRule>>
