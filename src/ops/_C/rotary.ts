/** Rotary position embeddings of queries and keys, in place. */
import { type Expr, load, where } from '../expr/expr'
import { rounded, within } from '../expr/functions'
import { type Program, programKernel } from '../expr/program'
import { KernelRefusal, numel, tensorArg, type Kernel, type KernelCall, type Param, type TensorView } from '../kernel'
import { inNamespace, type Kernels } from '../operator'

/** The number of heads of [tokens, heads, head size] or [tokens, heads * head size]. Throws KernelRefusal. */
function headsOf(name: string, { shape }: TensorView, size: number): number {
  if (shape.length === 3 && shape[2] === size) return shape[1]!
  if (shape.length === 2 && shape[1]! % size === 0) return shape[1]! / size
  throw new KernelRefusal(`\`${name}\` of shape [${shape.join(', ')}] does not consist of heads of ${size}`)
}

interface Rotation {
  readonly size: number
  /** Number of rotated elements of a head, and half of it. */
  readonly turned: number
  readonly half: number
  readonly neox: boolean
  readonly last: number
  /** Each step is rounded to the queries' dtype unless cosines and sines are float32. */
  readonly rounded: boolean
}

function rotationOf(call: KernelCall): Rotation {
  const size = Number(call.attrs['head_size'])
  const cache = tensorArg(call, 'cos_sin_cache')
  const query = tensorArg(call, 'query')
  const [positions, turned] = [tensorArg(call, 'positions'), cache.shape.at(-1)!]
  if (cache.shape.length !== 2 || turned % 2 !== 0 || turned > size)
    throw new KernelRefusal(
      `\`cos_sin_cache\` must be [positions, an even number up to the head size ${size}], found [${cache.shape.join(', ')}]`,
    )
  if (numel(positions.shape) !== query.shape[0])
    throw new KernelRefusal(
      `\`positions\` must hold one for each of ${query.shape[0]} tokens, found shape [${positions.shape.join(', ')}]`,
    )
  const neox = call.attrs['is_neox'] !== false
  return { size, turned, half: turned / 2, neox, last: cache.shape[0]! - 1, rounded: cache.dtype === query.dtype }
}

const rotates = (call: KernelCall): string[] => ['query', 'key'].filter((name) => call.tensors[name])

/** A tensor's elements after rotation. */
function turnedHeads(call: KernelCall, name: string): Program {
  const { size, turned, half, neox, last, rounded: rounds } = rotationOf(call)
  const t = tensorArg(call, name)
  const round = (v: Expr): Expr => (rounds ? rounded(t.dtype, v) : v.f32())
  return {
    over: [t.shape[0]!, headsOf(name, t, size), size],
    body([token, head, i]) {
      const at = (i: Expr): Expr[] => (t.shape.length === 3 ? [token!, head!, i] : [token!, head!.times(size).plus(i)])
      const first = neox ? i!.lt(half) : i!.mod(2).eq(0)
      const pair = neox ? i!.mod(half) : i!.over(2)
      const step = neox ? half : 1
      const own = load(name, ...at(i!))
      const other = load(name, ...at(where(first, i!.plus(step), i!.minus(step))))
      const { shape } = tensorArg(call, 'positions')
      const d = shape.findIndex((n) => n > 1)
      const position = within(load('positions', ...shape.map((_, k) => (k === d ? token! : 0))).whole(), last + 1)
      const turn = round(other.times(load('cos_sin_cache', position, pair.plus(half))))
      const kept = round(own.times(load('cos_sin_cache', position, pair)))
      const value = round(where(first, kept.minus(turn), kept.plus(turn)))
      return [{ out: `${name}_out`, at: at(i!), value: where(i!.lt(turned), value, own) }]
    },
  }
}

/**
 * Of each head the first rot elements: of a pair (x, y), x' = x cos - y sin and y' = y cos + x sin, the pair being
 * (i, i + rot / 2), or (2 i, 2 i + 1) where not is_neox. cos_sin_cache [positions, rot] holds the cosines of the rot / 2
 * angles, then their sines. vLLM csrc/pos_encoding_kernels.cu, `apply_token_rotary_embedding`: each product and sum is
 * rounded to T, the queries' dtype; FlashInfer's, whose cache is float32, rounds once.
 * Shapes: positions [tokens], query and key [tokens, heads * head_size] or [tokens, heads, head_size].
 */
const rotary = (name: string): Kernel =>
  programKernel({
    name,
    params: [
      { name: 'positions', kind: 'in', rows: true },
      { name: 'query', kind: 'inout', rows: true },
      { name: 'key', kind: 'inout', rows: true, optional: true },
      { name: 'head_size', kind: 'attr' },
      { name: 'cos_sin_cache', kind: 'in' },
      { name: 'is_neox', kind: 'attr', default: true, aliases: ['is_neox_style'] } satisfies Param,
      { name: 'rope_dim_offset', kind: 'attr', default: 0 },
      { name: 'inverse', kind: 'attr', default: false },
      { name: 'offsets', kind: 'in', optional: true },
    ],
    outputs(call) {
      if (Number(call.attrs['rope_dim_offset']) !== 0 || call.attrs['inverse'] === true || call.tensors['offsets'])
        throw new KernelRefusal('rope_dim_offset, inverse and offsets are not handled')
      const { size } = rotationOf(call)
      for (const name of rotates(call)) headsOf(name, tensorArg(call, name), size)
      return {}
    },
    programs: (call) => rotates(call).map((tensor) => turnedHeads(call, tensor)),
  })

const ROTARY = ['rotary_embedding', 'flashinfer_rotary_embedding', 'rocm_aiter_triton_rotary_embedding'].map(rotary)

export const KERNELS: Kernels = inNamespace('_C', [...ROTARY])

export const SCHEMAS = `# vLLM csrc/libtorch_stable/torch_bindings.cpp
2026-04..2026-08 _C::rotary_embedding(Tensor positions, Tensor! query, Tensor!? key, int head_size, Tensor cos_sin_cache, bool is_neox, int rope_dim_offset=0, bool inverse=False) -> ()
# vLLM csrc/torch_bindings.cpp
2025-05..2026-04 _C::rotary_embedding(Tensor positions, Tensor! query, Tensor!? key, int head_size, Tensor cos_sin_cache, bool is_neox) -> ()
# vLLM vllm/model_executor/layers/rotary_embedding/common.py
2025-09..2026-08 vllm::flashinfer_rotary_embedding(Tensor positions, Tensor! query, Tensor! key, int head_size, Tensor cos_sin_cache, bool is_neox) -> ()
# vLLM vllm/_aiter_ops.py
2026-02..2026-08 vllm::rocm_aiter_triton_rotary_embedding(Tensor positions, Tensor! query, Tensor! key, int head_size, Tensor cos_sin_cache, bool is_neox, Tensor? offsets=None) -> ()`
