/**
 * Ranks of a tensor-parallel group as buffers on one device: each tensor that is summed over the ranks gets an
 * additional input, `NAME_peers`, with the other ranks' parts.
 */
import type { Dim, TensorMeta } from '../../fx'
import { innerTarget, isNodeRef } from '../lower/lower_inputs'
import type { RunInput, RunNode, RunProgram, RunPrograms, RunValue } from '../types'

/** Collective operators of all projects, with the name of their per-rank argument, which is the first one. */
const SUMMED: Readonly<Record<string, readonly string[]>> = {
  all_reduce: ['tensor', 'input', 'x'],
  outplace_all_reduce: ['tensor'],
  inplace_all_reduce: ['tensor'],
  all_gather: ['tensor', 'x'],
  reduce_scatter: ['tensor', 'x'],
  flashinfer_trtllm_fused_allreduce_norm: ['allreduce_in'],
  all_reduce_rms_norm: ['input'],
  all_reduce_rms_norm_quant: ['input'],
}
/** Default number of ranks if neither side of the match specifies it. */
const RANKS = 2

/** The programs with peer inputs; programs without collectives are unchanged. */
export function withRanks(programs: RunPrograms): RunPrograms {
  const { title, unfused, fused } = programs
  const said = [...unfused.nodes, ...fused.nodes].map(saidRanks)
  const ranks = said.find((n): n is number => typeof n === 'number' && n > 1) ?? RANKS
  return { title, unfused: withPeers(unfused, ranks), fused: withPeers(fused, ranks) }
}

/** all_gather(tensor, dim, world_size, group_name), and reduce_scatter. */
const saidRanks = ({ target, args, kwargs }: RunNode): RunValue | undefined =>
  kwargs['world_size'] ?? (/\.(all_gather|reduce_scatter)\./.test(target) ? args[2] : undefined)

function withPeers(program: RunProgram, ranks: number): RunProgram {
  const known = new Map([...program.inputs, ...program.nodes].map((n) => [n.name, n.meta]))
  const peers = new Map<string, RunInput>()
  const nodes = program.nodes.map((node) => {
    const summed = summedBy(node)
    const meta = summed === null ? null : known.get(summed)
    if (summed === null || !meta) return node
    const name = `${summed}_peers`
    peers.set(name, { name, meta: peersMeta(meta, ranks - 1) })
    return { ...node, kwargs: { ...node.kwargs, peers: { node: name } } }
  })
  return peers.size === 0 ? program : { ...program, nodes, inputs: [...program.inputs, ...peers.values()] }
}

/** The node that a call sums over the ranks; null for any other call. */
function summedBy(node: RunNode): string | null {
  const inner = innerTarget(node)
  const op = (inner ?? node.target).split('.')[1] ?? ''
  if (!Object.hasOwn(SUMMED, op)) return null
  const given = SUMMED[op]!.map((name) => argumentOf(node, name)).find((v) => v !== undefined)
  const summed = given ?? (inner ? undefined : node.args[0])
  return summed !== undefined && isNodeRef(summed) ? summed.node : null
}

/** A keyword argument; for auto_functionalized_v2, a mutated one is looked up among the bases. */
function argumentOf({ kwargs }: RunNode, name: string): RunValue | undefined {
  const [base, bases] = [kwargs[`_${name}_base_index`], kwargs['_all_bases']]
  const list = typeof bases === 'object' && bases !== null && 'list' in bases ? bases.list : []
  return typeof base === 'number' ? list[base] : kwargs[name]
}

/** [tokens, peers, …], with each peer's part dense in its own section. */
function peersMeta(meta: TensorMeta, peers: number): TensorMeta {
  const [tokens = 1, ...rest] = meta.shape
  const stride = (from: number): Dim => times(rest.slice(from))
  return {
    ...meta,
    shape: [tokens, peers, ...rest],
    stride: [stride(0), times(meta.shape), ...rest.map((_, d) => stride(d + 1))],
  }
}

function times(dims: readonly Dim[]): Dim {
  if (dims.every((d) => typeof d === 'number')) return dims.reduce((a, b) => a * b, 1)
  return dims.map((d) => (typeof d === 'number' ? d : `(${d})`)).join('*')
}
