/** Rotary position embeddings of queries and keys, in place. */
import { encodeFn, roundFn, roundTo } from '../dtype'
import {
  KernelRefusal,
  numel,
  tensorArg,
  type Dispatch,
  type Kernel,
  type KernelCall,
  type Param,
  type TensorView,
} from '../kernel'
import { names, place, reader } from '../kernels/strided'
import { Shader, WORKGROUP } from '../kernels/shader'
import { inNamespace, type Kernels } from '../operator'

/** [tokens, heads, head size], even if the caller's tensor is [tokens, heads * head size]. Throws KernelRefusal. */
function asHeads(name: string, t: TensorView, size: number): TensorView {
  const { shape, stride } = t
  if (shape.length === 3 && shape[2] === size) return t
  if (shape.length === 2 && shape[1]! % size === 0)
    return { ...t, shape: [shape[0]!, shape[1]! / size, size], stride: [stride[0]!, size * stride[1]!, stride[1]!] }
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

function values(
  call: KernelCall,
  x: Float32Array,
  name: string,
  positions: Float32Array,
  cache: Float32Array,
): Float32Array {
  const { size, turned, half, neox, last, rounded } = rotationOf(call)
  const t = tensorArg(call, name)
  const round = (v: number): number => (rounded ? roundTo(t.dtype, v) : Math.fround(v))
  const perToken = numel(t.shape.slice(1))
  return x.map((own, e) => {
    const i = e % size
    if (i >= turned) return own
    const first = neox ? i < half : i % 2 === 0
    const pair = neox ? i % half : Math.floor(i / 2)
    const other = x[neox ? (first ? e + half : e - half) : first ? e + 1 : e - 1]!
    const from = Math.min(Math.max(positions[Math.floor(e / perToken)]!, 0), last) * turned + pair
    const [cos, sin] = [cache[from]!, cache[from + half]!]
    return round(round(own * cos) + (first ? -1 : 1) * round(other * sin))
  })
}

function plan(label: string, call: KernelCall): Dispatch[] {
  const { size, turned, half, neox, last, rounded } = rotationOf(call)
  const shader = new Shader(false)
  const positions = tensorArg(call, 'positions')
  const cache = tensorArg(call, 'cos_sin_cache')
  const position = reader(shader, 'positions', positions)
  const angle = reader(shader, 'cos_sin_cache', cache)
  const d = positions.shape.findIndex((n) => n > 1)
  shader.helper(roundFn(rounded ? tensorArg(call, 'query').dtype : 'float32', false))
  shader.helper(`fn angle_at(token: u32, i: u32) -> f32 {
  let p = min(u32(${position(`${positions.offset}u + token * ${d < 0 ? 0 : positions.stride[d]!}u`)}), ${last}u);
  return ${angle(`${cache.offset}u + p * ${cache.stride[0]!}u + i * ${cache.stride[1]!}u`)};
}`)
  const parts = rotates(call).map((name) => {
    const t = asHeads(name, tensorArg(call, name), size)
    const out = asHeads(name, tensorArg(call, `${name}_out`), size)
    const read = reader(shader, name, t)
    const q = shader.scatter(`${name}_out`, out.dtype)
    shader.helper(encodeFn(`enc_${name}`, out.dtype, false))
    const index = names('i', 3)
    return {
      count: numel(t.shape),
      body: `    let i2 = e % ${size}u;
    let i1 = (e / ${size}u) % ${t.shape[1]!}u;
    let i0 = e / ${size * t.shape[1]!}u;
    let at = ${place(shader, name, t.offset, t.stride, index)};
    var v = ${read('at')};
    if (i2 < ${turned}u) {
      let first = ${neox ? `i2 < ${half}u` : 'i2 % 2u == 0u'};
      let by = ${(neox ? half : 1) * t.stride[2]!}u;
      let other = ${read('select(at - by, at + by, first)')};
      let pair = ${neox ? `i2 % ${half}u` : 'i2 / 2u'};
      let turn = round_T(other * angle_at(i0, pair + ${half}u));
      v = round_T(round_T(v * angle_at(i0, pair)) + select(turn, -turn, first));
    }
    put_${q.index}(${place(shader, `${name}_out`, out.offset, out.stride, index)}, enc_${name}(bitcast<u32>(v)));
    return;`,
    }
  })
  const total = parts.reduce((sum, p) => sum + p.count, 0)
  const body = parts.map(
    (p, i) => `  if (e < ${shader.param(`count_${i}`, p.count)}) {
${p.body}
  }
  e -= P.count_${i};`,
  )
  return [
    shader.print(
      label,
      `  var e = group * ${WORKGROUP}u + lid;
${body.join('\n')}`,
      Math.ceil(total / WORKGROUP),
    ),
  ]
}

/**
 * Of each head the first rot elements: of a pair (x, y), x' = x cos - y sin and y' = y cos + x sin, the pair being
 * (i, i + rot / 2), or (2 i, 2 i + 1) where not is_neox. cos_sin_cache [positions, rot] holds the cosines of the rot / 2
 * angles, then their sines. vLLM csrc/pos_encoding_kernels.cu, `apply_token_rotary_embedding`: each product and sum is
 * rounded to T, the queries' dtype; FlashInfer's, whose cache is float32, rounds once.
 * Shapes: positions [tokens], query and key [tokens, heads * head_size] or [tokens, heads, head_size].
 */
const rotary = (name: string): Kernel => ({
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
    for (const name of rotates(call)) asHeads(name, tensorArg(call, name), size)
    return {}
  },
  reference(call, memory) {
    for (const tensor of rotates(call))
      memory.write(
        `${tensor}_out`,
        values(call, memory.read(tensor), tensor, memory.read('positions'), memory.read('cos_sin_cache')),
      )
  },
  plan: (call) => plan(name, call),
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
