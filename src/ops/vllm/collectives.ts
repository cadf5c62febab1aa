/** vLLM's all-reduce, all-gather and reduce-scatter, over ranks that are buffers on one device; this rank is the first. */
import { type Expr, load, where } from '../expr/expr'
import { type Kernel, type KernelCall, KernelRefusal, type Param, tensorArg } from '../kernel'
import { eachKernel } from '../kernels/each'
import { dimOf } from '../kernels/strided'
import { inNamespace, type Kernels, type Traits } from '../operator'
import { PEERS, requireRanks, rankSumSource } from './rank_sum'
import { rowKernel } from '../kernels/row_kernel'

const PARAMS: readonly Param[] = [
  { name: 'tensor', kind: 'in', rows: true, aliases: ['x'] },
  { name: 'dim', kind: 'attr', default: 0 },
  { name: 'world_size', kind: 'attr', default: null },
  { name: 'group_name', kind: 'attr', default: null },
  PEERS,
  { name: 'result', kind: 'out' },
]

function sizesOf(call: KernelCall): { ranks: number; dim: number; size: number; shape: readonly number[] } {
  requireRanks(call, 'tensor')
  const { shape } = tensorArg(call, 'tensor')
  const dim = dimOf(call.attrs['dim'], shape.length)
  return { ranks: (call.tensors['peers']?.shape[1] ?? 0) + 1, dim, size: shape[dim]!, shape }
}

/** Converts an index of a tensor to one of a peer's part, where dimension 1 is the other ranks. */
const ofPeer = (index: readonly Expr[], rank: Expr | number): (Expr | number)[] => [index[0]!, rank, ...index.slice(1)]

/** result = the tensors of all ranks concatenated along `dim`, in rank order. */
export const vllmAllGather: Kernel = eachKernel({
  name: 'all_gather',
  params: PARAMS,
  outputs(call) {
    const { ranks, dim, size, shape } = sizesOf(call)
    const { dtype } = tensorArg(call, 'tensor')
    return { result: { shape: shape.map((n, d) => (d === dim ? size * ranks : n)), dtype } }
  },
  values(call, index) {
    const { ranks, dim, size } = sizesOf(call)
    const rank = index[dim]!.over(size)
    const at = index.map((i, d) => (d === dim ? i.mod(size) : i))
    const own = load('tensor', ...at)
    return [ranks === 1 ? own : where(rank.eq(0), own, load('peers', ...ofPeer(at, rank.minus(1))))]
  },
})

/** result = this rank's part, the first along `dim`, of T(sum over the ranks), summed in float32 in their order. */
export const vllmReduceScatter: Kernel = eachKernel({
  name: 'reduce_scatter',
  params: PARAMS,
  outputs(call) {
    const { ranks, dim, size, shape } = sizesOf(call)
    if (size % ranks !== 0)
      throw new KernelRefusal(`${size} elements along dimension ${dim} cannot be divided among ${ranks} ranks`)
    const { dtype } = tensorArg(call, 'tensor')
    return { result: { shape: shape.map((n, d) => (d === dim ? size / ranks : n)), dtype } }
  },
  values(call, index) {
    const parts = Array.from({ length: sizesOf(call).ranks - 1 }, (_, r) => load('peers', ...ofPeer(index, r)))
    return [parts.reduce((sum, part) => sum.plus(part).f32(), load('tensor', ...index))]
  },
})

/** result = the sum of the tensor over the ranks. Shapes: see rank_sum.ts. */
export function allReduce(name: string, params: readonly Param[]): Kernel {
  return rowKernel({
    name,
    functional: true,
    params: [
      { name: 'tensor', kind: 'in', rows: true, aliases: ['input', 'x'] },
      ...params,
      { name: 'group_name', kind: 'attr', default: null },
      { name: 'world_size', kind: 'attr', default: null },
      PEERS,
      { name: 'result', kind: 'out' },
    ],
    outputs(call) {
      const op = call.attrs['reduce_op']
      if (typeof op === 'string' && op !== 'sum')
        throw new KernelRefusal(`only a sum over the ranks is handled, found ${op}`)
      requireRanks(call, 'tensor')
      const { shape, dtype } = tensorArg(call, 'tensor')
      return { result: { shape, dtype } }
    },
    rows: (call) => ({ source: rankSumSource(call, 'tensor', null), out: 'result' }),
  })
}

/** vllm.all_reduce(tensor, group_name). */
const vllmAllReduce = allReduce('all_reduce', [])
/** _c10d_functional.all_reduce(input, reduce_op, group_name). */
export const functionalAllReduce = allReduce('all_reduce', [{ name: 'reduce_op', kind: 'attr', default: 'sum' }])

export const KERNELS: Kernels = inNamespace('vllm', [vllmAllGather, vllmReduceScatter, vllmAllReduce])

export const TRAITS: Traits = {
  passes: 'all_gather reduce_scatter',
  sums: 'all_reduce reduce_scatter',
}
