/** `sglang.fused_swiglu(x, w)`: a matrix product fused with SwiGLU, optionally FP8 with scales. */
import { fp8ByInverse, requireOneScale } from '../_C/static_quant'
import { type DTypeName, DTYPES, roundFn, roundTo } from '../dtype'
import { type Kernel, type KernelCall, KernelRefusal, type ReferenceMemory, tensorArg } from '../kernel'
import { matmulPlan, matmulValues } from '../kernels/matmul'
import type { Shader } from '../kernels/shader'
import { EXP, SILU, silu } from '../kernels/silu'
import { inNamespace, type Kernels } from '../operator'

const SCALES = ['x_scale', 'w_scale', 'o_scale'] as const
/** Attribute set only by counterfactuals: the dtype in which the unfused operators store intermediates. */
const BETWEEN = 'as_unfused_between'

/**
 * True if the inputs are FP8 with scales.
 * @throws KernelRefusal if some scales are missing
 */
function isQuantized(call: KernelCall): boolean {
  const missing = SCALES.filter((name) => !call.tensors[name])
  if (missing.length === SCALES.length) return false
  if (missing.length > 0) throw new KernelRefusal(`of the three scales, \`${missing[0]}\` is missing`)
  for (const name of SCALES) requireOneScale(call, name)
  if (DTYPES[tensorArg(call, 'x').dtype].bytes !== 1)
    throw new KernelRefusal(`with scales, \`x\` must be FP8, found ${tensorArg(call, 'x').dtype}`)
  return true
}

/** The product's gate and up as inputs of the activation, and the sink of its result. */
function steps(call: KernelCall, memory: ReferenceMemory): { read(p: number): number; act(v: number): number } {
  const { dtype } = tensorArg(call, 'x')
  const plain = (v: number): number => roundTo(dtype, v)
  if (!isQuantized(call)) return { read: plain, act: plain }
  const between = call.attrs[BETWEEN]
  const round = typeof between === 'string' ? (v: number) => roundTo(between as DTypeName, v) : Math.fround
  const scale = Math.fround(memory.read('w_scale')[0]! * memory.read('x_scale')[0]!)
  return { read: (p) => round(Math.fround(p * scale)), act: round }
}

/**
 * p = x @ w in float32, rounded to T; out = T(T(silu(p[:, :n])) * p[:, n:]), T the input's dtype: aten.mm, then
 * silu_and_mul. The SGLang article declares the operator and leaves its body open; a kernel may keep p in float32.
 * With the three scales, of FP8: p is scaled by x_scale * w_scale, all stays in float32, and
 * out = f8(clamp(silu(gate) * up * (1 / o_scale), -448, 448)), as SGLang's Triton kernel has it.
 * Shapes: x [m, k], w [k, 2 n], out [m, n].
 */
export const fusedSwiglu: Kernel = {
  name: 'fused_swiglu',
  functional: true,
  params: [
    { name: 'x', kind: 'in', rows: true },
    { name: 'w', kind: 'in' },
    { name: 'x_scale', kind: 'in', optional: true },
    { name: 'w_scale', kind: 'in', optional: true },
    { name: 'o_scale', kind: 'in', optional: true },
    { name: 'out', kind: 'out' },
  ],
  outputs(call) {
    const x = tensorArg(call, 'x')
    const w = tensorArg(call, 'w')
    isQuantized(call)
    if (x.shape.length !== 2 || w.shape.length !== 2 || x.shape[1] !== w.shape[0] || w.shape[1]! % 2 !== 0)
      throw new KernelRefusal(
        `\`x\` and \`w\` must be [m, k] and [k, 2 n], found [${x.shape.join(', ')}] and [${w.shape.join(', ')}]`,
      )
    return { out: { shape: [x.shape[0]!, w.shape[1]! / 2], dtype: x.dtype } }
  },
  reference(call, memory) {
    const x = tensorArg(call, 'x')
    const [m, k] = x.shape as [number, number]
    const n = tensorArg(call, 'w').shape[1]!
    const p = matmulValues(memory.read('x'), memory.read('w'), { batch: 1, m, k, n })
    const { read, act } = steps(call, memory)
    const out = new Float32Array((m * n) / 2)
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n / 2; j++)
        out[(i * n) / 2 + j] = act(act(silu(read(p[i * n + j]!))) * read(p[i * n + j + n / 2]!))
    const inverse = isQuantized(call) ? Math.fround(1 / memory.read('o_scale')[0]!) : null
    memory.write('out', inverse === null ? out : fp8ByInverse(out, inverse))
  },
  plan: (call, device) =>
    matmulPlan(
      'fused_swiglu',
      call,
      {
        a: 'x',
        b: 'w',
        out: 'out',
        halves: 2,
        emit(shader: Shader) {
          if (isQuantized(call)) return quantized(call, shader)
          shader.helper(roundFn(tensorArg(call, 'x').dtype))
          shader.helper(EXP)
          shader.helper(SILU)
          return `fn finish(p: f32, p1: f32, row: u32, col: u32, z: u32) -> u32 {
  return bitcast<u32>(round_T(silu(round_T(p))) * round_T(p1));
}`
        },
      },
      device,
    ),
  counterfactuals: (call) =>
    isQuantized(call)
      ? (['float16', 'bfloat16'] as const).map((dtype) => ({
          id: `round-${dtype}`,
          text: `does not round the product, silu(gate) and their product to ${dtype} before quantizing`,
          attrs: { [BETWEEN]: dtype },
        }))
      : [],
}

function quantized(call: KernelCall, shader: Shader): string {
  const [x, w, o] = SCALES.map(
    (name) => `load_${shader.bind(name, 'float32', 'read', false).index}(${tensorArg(call, name).offset}u)`,
  )
  shader.helper(EXP)
  shader.helper(SILU)
  return `fn finish(p: f32, p1: f32, row: u32, col: u32, z: u32) -> u32 {
  let scale = ${w} * ${x};
  let act = silu(p * scale) * (p1 * scale);
  let q = clamp(act * (1.0 / ${o}), -448.0, 448.0);
  return select(bitcast<u32>(q), 0x7fc00000u, (bitcast<u32>(act) & 0x7fffffffu) > 0x7f800000u);
}`
}

export const KERNELS: Kernels = inNamespace('sglang', [fusedSwiglu])
