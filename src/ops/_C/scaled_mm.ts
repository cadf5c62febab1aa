/** Products of quantised matrices, scaled back: FP8 and int8, a scale a tensor or one for each row and column. */
import { matmulPlan, matmulValues, matrixOf } from '../aten/matmul_kernel'
import { dtypeInfo } from '../dtype'
import { KernelRefusal, numel, tensorArg, type Kernel, type KernelCall, type Param, type TensorView } from '../kernel'
import type { Shader } from './shader'

interface Names {
  readonly a: string
  readonly b: string
  readonly scaleA: string
  readonly scaleB: string
  readonly out: string
}

/** Where the value of row or column `i` lies: the dimension of more than one element, if there is one. */
function along(name: string, t: TensorView, count: number): { offset: number; stride: number } {
  if (numel(t.shape) === 1) return { offset: t.offset, stride: 0 }
  const d = t.shape.findIndex((n) => n > 1)
  if (numel(t.shape) !== count || t.shape[d] !== count)
    throw new KernelRefusal(`\`${name}\` must hold one value or ${count}, found shape [${t.shape.join(', ')}]`)
  return { offset: t.offset, stride: t.stride[d]! }
}

function sizesOf(call: KernelCall, names: Names): { m: number; k: number; n: number } {
  const [a, b] = [tensorArg(call, names.a), tensorArg(call, names.b)]
  if (a.shape.length !== 2 || b.shape.length !== 2 || a.shape[1] !== b.shape[0])
    throw new KernelRefusal(
      `\`${names.a}\` and \`${names.b}\` must be [m, k] and [k, n], found [${a.shape.join(', ')}] and [${b.shape.join(', ')}]`,
    )
  const [m, n] = [a.shape[0]!, b.shape[1]!]
  along(names.scaleA, tensorArg(call, names.scaleA), m)
  along(names.scaleB, tensorArg(call, names.scaleB), n)
  const bias = call.tensors['bias']
  if (bias) along('bias', bias, n)
  return { m, n, k: a.shape[1]! }
}

/**
 * out[i, j] = T(scale_a[i] * (scale_b[j] * sum over k of a[i, k] * b[k, j]) + bias[j]), all in float32 before T.
 * vLLM csrc/quantization/w8a8/cutlass (`ScaledEpilogue`, `ScaledEpilogueBias`); sgl-kernel's fp8_scaled_mm is the same.
 */
function scaledMm(name: string, names: Names, params: readonly Param[], functional: boolean): Kernel {
  const read = (call: KernelCall, shader: Shader, tensor: string, count: number, i: string): string => {
    const t = tensorArg(call, tensor)
    const { offset, stride } = along(tensor, t, count)
    return `load_${shader.bind(tensor, t.dtype, 'read', false).index}(${offset}u + ${i} * ${stride}u)`
  }
  return {
    name,
    functional,
    params,
    outputs(call) {
      const { m, n } = sizesOf(call, names)
      const asked = call.attrs['out_dtype']
      return {
        [names.out]: { shape: [m, n], dtype: typeof asked === 'string' ? (dtypeInfo(asked)?.name ?? null) : null },
      }
    },
    reference(call, memory) {
      const { m, k, n } = sizesOf(call, names)
      const p = matmulValues(memory.read(names.a), memory.read(names.b), 1, m, k, n)
      const [x, y] = [memory.read(names.scaleA), memory.read(names.scaleB)]
      const bias = call.tensors['bias'] ? memory.read('bias') : new Float32Array(1)
      const one = (list: Float32Array, i: number): number => list[list.length === 1 ? 0 : i]!
      const values = Float32Array.from(p, (v, e) => {
        const [i, j] = [Math.floor(e / n), e % n]
        return one(x, i) * Math.fround(one(y, j) * v) + one(bias, j)
      })
      memory.write(names.out, values)
    },
    plan: (call, device) =>
      matmulPlan(
        name,
        call,
        {
          a: names.a,
          b: names.b,
          out: names.out,
          halves: 1,
          emit(shader) {
            const { rows } = matrixOf(names.a, tensorArg(call, names.a))
            const { cols } = matrixOf(names.b, tensorArg(call, names.b))
            const bias = call.tensors['bias'] ? ` + ${read(call, shader, 'bias', cols, 'col')}` : ''
            return `fn finish(p: f32, p1: f32, row: u32, col: u32, z: u32) -> u32 {
  return bitcast<u32>(${read(call, shader, names.scaleA, rows, 'row')} * (${read(call, shader, names.scaleB, cols, 'col')} * p)${bias});
}`
          },
        },
        device,
      ),
  }
}

const BIAS: Param = { name: 'bias', kind: 'in', optional: true }
const scale = (name: string): Param => ({ name, kind: 'in', sample: 'scale' })

/** cutlass_scaled_mm(out, a, b, a_scales, b_scales, bias) of vLLM's `_C`. */
export const cutlassScaledMm = scaledMm(
  'cutlass_scaled_mm',
  { a: 'a', b: 'b', scaleA: 'a_scales', scaleB: 'b_scales', out: 'out' },
  [
    { name: 'out', kind: 'out', dtype: 'bfloat16' },
    { name: 'a', kind: 'in', rows: true },
    { name: 'b', kind: 'in' },
    scale('a_scales'),
    scale('b_scales'),
    BIAS,
  ],
  false,
)

/** fp8_scaled_mm and int8_scaled_mm(mat_a, mat_b, scales_a, scales_b, out_dtype, bias) of `sgl_kernel`. */
export const sglScaledMms = ['fp8_scaled_mm', 'int8_scaled_mm'].map((name) =>
  scaledMm(
    name,
    { a: 'mat_a', b: 'mat_b', scaleA: 'scales_a', scaleB: 'scales_b', out: 'result' },
    [
      { name: 'mat_a', kind: 'in', rows: true },
      { name: 'mat_b', kind: 'in' },
      scale('scales_a'),
      scale('scales_b'),
      { name: 'out_dtype', kind: 'attr', default: 'bfloat16' },
      BIAS,
      { name: 'result', kind: 'out', dtype: 'bfloat16' },
    ],
    true,
  ),
)
