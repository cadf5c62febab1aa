/**
 * The sum of a tensor over the ranks of a group. This rank's part is the tensor itself; the other ranks' parts are in
 * `peers`, with the ranks as dimension 1: tensor [tokens, d], peers [tokens, ranks - 1, d]. A peer's part is a separate
 * buffer if the strides allow it.
 */
import { rounded } from '../expr/functions'
import { type KernelCall, KernelRefusal, numel, type Param, tensorArg, type TensorView, numberAttr } from '../kernel'
import { rowsOf } from '../kernels/shader'
import { plainSource, type Source } from '../kernels/source'
import { fp8Sink } from '../_C/static_quant'
import { weightRows } from '../kernels/norm_values'
import type { RowSpec } from '../kernels/row_spec'

export const PEERS: Param = { name: 'peers', kind: 'in', optional: true, rows: true }

/** The parts of all other ranks. Without `peers` this rank is the whole group. */
function peersOf(call: KernelCall, tensor: string): TensorView[] {
  const peers = call.tensors['peers']
  if (!peers) return []
  const own = tensorArg(call, tensor)
  const without = (list: readonly number[]): number[] => list.filter((_, d) => d !== 1)
  const fits = peers.shape.length === own.shape.length + 1 && String(without(peers.shape)) === String(own.shape)
  if (!fits || peers.dtype !== own.dtype)
    throw new KernelRefusal(
      `\`peers\` must be \`${tensor}\` with the other ranks as dimension 1, found ${peers.dtype}[${peers.shape.join(', ')}] for ${own.dtype}[${own.shape.join(', ')}]`,
    )
  return Array.from({ length: peers.shape[1]! }, (_, rank) => ({
    ...peers,
    shape: own.shape,
    stride: without(peers.stride),
    offset: peers.offset + rank * peers.stride[1]!,
  }))
}

/**
 * Number of participating ranks.
 * @throws KernelRefusal if the call gives a different number
 */
export function requireRanks(call: KernelCall, tensor: string): void {
  const ranks = peersOf(call, tensor).length + 1
  const said = call.attrs['world_size']
  if (typeof said === 'number' && said !== ranks)
    throw new KernelRefusal(`its world_size is ${said}, and ${ranks} ${ranks === 1 ? 'rank takes' : 'ranks take'} part`)
}

/**
 * T(sum over the ranks), summed in float32 in the order of the ranks and rounded once to the tensor's dtype T: vLLM
 * csrc/custom_all_reduce.cuh, `packed_reduce`. With `residual`, T(T(sum) + residual).
 */
export function rankSumSource(call: KernelCall, tensor: string, residual: string | null): Source {
  const own = plainSource(call, tensor)
  const peers = peersOf(call, tensor)
  const parts = peers.map((p) => rowsOf('peers', p))
  const added = residual ? plainSource(call, residual) : null
  if (added && (added.rows !== own.rows || added.cols !== own.cols))
    throw new KernelRefusal(`\`${tensor}\` and \`${residual!}\` must have the same shape`)
  /** Rows of one token. */
  const inner = numel(tensorArg(call, tensor).shape.slice(1, -1))
  return {
    ...own,
    wide:
      own.wide &&
      (added?.wide ?? true) &&
      parts.every((p) => p.colStride === 1 && p.rowStride % 8 === 0 && p.offset % 8 === 0),
    inputs: [
      ...own.inputs,
      ...parts.map((rows, rank) => ({
        tensor: 'peers',
        rows,
        begins: (row: number) => ((Math.floor(row / inner) * peers.length + rank) * inner + (row % inner)) * own.cols,
      })),
      ...(added?.inputs ?? []),
    ],
    value(first, ...rest) {
      const others = rest.slice(0, parts.length)
      const all = others.reduce((sum, x) => sum.plus(x).f32(), first!)
      const sum = others.length === 0 ? all : rounded(own.dtype, all)
      return added ? rounded(own.dtype, sum.plus(rest.at(-1)!)) : sum
    },
  }
}

/** The names an operator gives its arguments. */
export interface RankNormNames {
  readonly input: string
  readonly residual: string
  readonly weight: string
  readonly epsilon: string
  readonly scale: string
}

/**
 * The tensors that receive z = T(T(sum over ranks) + residual), its norm, and the codes of that; at least one of the
 * last two.
 */
export interface RankNormResults {
  readonly sum: string
  readonly norm: string | null
  readonly quant: string | null
}

/** In one dispatch: the sum over the ranks, plus the residual, its RMSNorm, and static FP8 codes of that. */
export function rankNormRows(call: KernelCall, names: RankNormNames, { sum, norm, quant }: RankNormResults): RowSpec {
  const source = rankSumSource(call, names.input, names.residual)
  const rows = weightRows(call, names.weight, source)
  return {
    source,
    norm: { weight: names.weight, rows, epsilon: numberAttr(call, names.epsilon) },
    keep: sum,
    keepsValues: true,
    out: (quant ?? norm)!,
    ...(quant && { sink: fp8Sink(call, names.scale, quant) }),
    ...(quant && norm && { normed: norm }),
  }
}
