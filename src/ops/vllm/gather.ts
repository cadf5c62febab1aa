/** vLLM's all-gather and reduce-scatter, over ranks that are buffers on one device; this rank is the first. */
import { type Kernel, type KernelCall, KernelRefusal, type Param, tensorArg } from '../kernel'
import { eachKernel } from '../kernels/each'
import { dimOf } from '../kernels/strided'
import { inNamespace, type Kernels } from '../operator'
import { PEERS, requireRanks } from './rank_sum'

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
const ofPeer = <T>(index: readonly T[], rank: T): T[] => [index[0]!, rank, ...index.slice(1)]

/** result = the tensors of all ranks concatenated along `dim`, in rank order. */
export const vllmAllGather: Kernel = eachKernel({
  name: 'all_gather',
  params: PARAMS,
  outputs(call) {
    const { ranks, dim, size, shape } = sizesOf(call)
    const { dtype } = tensorArg(call, 'tensor')
    return { result: { shape: shape.map((n, d) => (d === dim ? size * ranks : n)), dtype } }
  },
  js(call, read) {
    const { ranks, dim, size } = sizesOf(call)
    const own = read('tensor')
    const peers = ranks > 1 ? read('peers') : own
    return (index) => {
      const rank = Math.floor(index[dim]! / size)
      const at = index.map((i, d) => (d === dim ? i % size : i))
      return [rank === 0 ? own(...at) : peers(...ofPeer(at, rank - 1))]
    }
  },
  wgsl(call, at, n) {
    const { ranks, dim, shape } = sizesOf(call)
    const size = n('size', shape[dim]!)
    const index = shape.map((_, d) => (d === dim ? `(i${d} % ${size})` : `i${d}`))
    if (ranks === 1) return `  let v_result = ${at('tensor', index)};`
    return `  let rank = i${dim} / ${size};
  var v_result = 0.0;
  if (rank == 0u) { v_result = ${at('tensor', index)}; } else { v_result = ${at('peers', ofPeer(index, 'rank - 1u'))}; }`
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
  js(call, read) {
    const { ranks } = sizesOf(call)
    const own = read('tensor')
    const peers = ranks > 1 ? read('peers') : own
    return (index) => {
      let sum = own(...index)
      for (let rank = 1; rank < ranks; rank++) sum = Math.fround(sum + peers(...ofPeer(index, rank - 1)))
      return [sum]
    }
  },
  wgsl(call, at) {
    const { ranks, shape } = sizesOf(call)
    const index = shape.map((_, d) => `i${d}`)
    const parts = Array.from({ length: ranks - 1 }, (_, rank) => at('peers', ofPeer(index, `${rank}u`)))
    return `  let v_result = ${[at('tensor', index), ...parts].join(' + ')};`
  },
})

export const KERNELS: Kernels = inNamespace('vllm', [vllmAllGather, vllmReduceScatter])
