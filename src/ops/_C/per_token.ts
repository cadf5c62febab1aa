/** Quantization with computed scales: one per token, or one for the whole tensor. */
import { encodeFn } from '../dtype'
import { tensorArg, type Dispatch, type Kernel, type KernelCall, type OutSpec } from '../kernel'
import { FP8_MAX, overMax } from '../expr/codes'
import { given, load } from '../expr/expr'
import { evaluate } from '../expr/to_js'
import { oneLaneFunction } from '../kernels/one_lane'
import { pointwise } from '../kernels/pointwise'
import { rowKernel } from '../kernels/row_kernel'
import type { Sink } from '../kernels/row_spec'
import { sinkValues } from '../kernels/row_values'
import { Shader, WORKGROUP } from '../kernels/shader'
import { emitSource, plainSource } from '../kernels/source'
import { dynamicQuant, requireScaleUb, type Dynamic } from './dynamic'
import { int8AzpPlan, int8AzpValues } from './int8_azp'
import { fp8ByInverse } from './static_quant'
import { inNamespace, type Kernels } from '../operator'

const lastOf = (call: KernelCall, name: string): number => tensorArg(call, name).shape.at(-1) ?? 1
const oneARow = (shape: readonly number[]): number[] => [...shape.slice(0, -1), 1]

function perToken(name: string, kind: Dynamic['kind'], dtype: 'float8_e4m3fn' | 'int8', ub: boolean): Kernel {
  const symmetric = rowKernel({
    name,
    params: [
      { name: 'result', kind: 'out', aliases: ['out', 'output'], dtype },
      { name: 'input', kind: 'in', rows: true },
      { name: 'scale', kind: 'out', aliases: ['scales'] },
      ub
        ? { name: 'scale_ub', kind: 'in', optional: true, sample: 'scale' }
        : { name: 'azp', kind: 'out', optional: true, dtype: 'int32' },
    ],
    outputs(call) {
      requireScaleUb(call)
      const { shape } = tensorArg(call, 'input')
      const perRow = (dtype: 'float32' | 'int32'): OutSpec => ({ shape: oneARow(shape), dtype })
      return {
        result: { shape, dtype: null },
        scale: perRow('float32'),
        ...(call.attrs['azp'] === true && { azp: perRow('int32') }),
      }
    },
    rows(call) {
      const groupSize = Math.max(1, lastOf(call, 'input'))
      const quant = dynamicQuant(call, { out: 'result', scales: 'scale', groupSize, kind })
      return { source: plainSource(call, 'input'), out: 'result', quant }
    },
  })
  const asymmetric = (call: KernelCall): boolean => call.attrs['azp'] === true
  return {
    ...symmetric,
    reference: (call, memory) => (asymmetric(call) ? int8AzpValues : symmetric.reference)(call, memory),
    plan: (call, device) => (asymmetric(call) ? int8AzpPlan(call) : symmetric.plan(call, device)),
  }
}

/**
 * s = max(min(amax(row), scale_ub) / 448, 1 / (448 * 512)); result = f8(clamp(x / s)).
 * vLLM csrc/quantization/w8a8/fp8/common.cu, `dynamic_per_token_scaled_fp8_quant_kernel`.
 * Shapes: input [..., d], result [..., d], scale [..., 1] float32.
 */
export const dynamicPerTokenScaledFp8Quant = perToken(
  'dynamic_per_token_scaled_fp8_quant',
  'bounded',
  'float8_e4m3fn',
  true,
)

/**
 * s = amax(row) / 127; result = int8(round_half_even(x * (127 / amax))), zeros for a row of zeros. With `azp`, an int32
 * [..., 1] that is written, asymmetric: see int8_azp.ts.
 * vLLM csrc/quantization/w8a8/int8/scaled_quant.cu, `dynamic_scaled_int8_quant_kernel`.
 */
export const dynamicScaledInt8Quant = perToken('dynamic_scaled_int8_quant', 'plain int8', 'int8', false)

const scaleOf = overMax(FP8_MAX)

/** Codes of the input while `scale` holds its largest magnitude. */
const codes = (call: KernelCall): Sink => fp8ByInverse(tensorArg(call, 'result').dtype, scaleOf(load('scale')))

/**
 * s = amax(input) / 448; result = f8(clamp(x * (1 / s))), one scale for the tensor.
 * vLLM csrc/quantization/w8a8/fp8/common.cu, `segmented_max_reduction` and `scaled_fp8_quant_kernel`.
 * Four dispatches: the largest magnitude needs every element before the first code.
 */
export const dynamicScaledFp8Quant: Kernel = {
  name: 'dynamic_scaled_fp8_quant',
  params: [
    { name: 'result', kind: 'out', aliases: ['out'], dtype: 'float8_e4m3fn' },
    { name: 'input', kind: 'in', rows: true },
    { name: 'scale', kind: 'out' },
  ],
  outputs: (call) => ({
    result: { shape: tensorArg(call, 'input').shape, dtype: null },
    scale: { shape: [1], dtype: 'float32' },
  }),
  reference(call, memory) {
    const x = memory.read('input')
    const peak = x.reduce((most, v) => Math.max(most, Math.abs(v)), 0)
    memory.write('result', sinkValues({ ...memory, read: () => Float32Array.of(peak) }, x, codes(call)))
    memory.write(
      'scale',
      evaluate(1, scaleOf(given('peak')), () => peak),
    )
  },
  plan(call) {
    const at = tensorArg(call, 'scale').offset
    const once = (label: string, code: string): Dispatch => {
      const shader = new Shader(false)
      oneLaneFunction(shader, 'scale_of', ['peak'], scaleOf(given('peak')))
      const s = shader.bind('scale', 'float32', 'read_write', false)
      return shader.print(
        label,
        `  if (group + lid == 0u) { b${s.index}[${at}] = ${code.replaceAll('$', `b${s.index}[${at}]`)}; }`,
        1,
      )
    }
    return [
      once('dynamic_scaled_fp8_quant: zero', '0u'),
      largest(call, at),
      ...pointwise('dynamic_scaled_fp8_quant', call, {
        source: plainSource(call, 'input'),
        out: 'result',
        sink: codes(call),
      }),
      once('dynamic_scaled_fp8_quant: scale', 'bitcast<u32>(scale_of(bitcast<f32>($)))'),
    ]
  },
}

/** The bits of the largest magnitude, by atomic maximum: magnitudes are ordered like their bits. */
function largest(call: KernelCall, at: number): Dispatch {
  const source = plainSource(call, 'input')
  const shader = new Shader(false)
  shader.helper(encodeFn('enc_peak', 'float32', false))
  const value = emitSource(shader, source)
  const s = shader.peak('scale')
  shader.helper(value)
  const n = source.rows * source.cols
  const each = 256
  const size = shader.param('n', n)
  const cols = shader.param('cols', source.cols)
  return shader.print(
    'dynamic_scaled_fp8_quant: amax',
    `  let first = (group * ${WORKGROUP}u + lid) * ${each}u;
  var m = 0u;
  for (var e = first; e < min(first + ${each}u, ${size}); e++) { m = max(m, bitcast<u32>(value(e / ${cols}, e % ${cols})) & 0x7fffffffu); }
  atomicMax(&b${s.index}[${at}], m);`,
    Math.ceil(n / each / WORKGROUP),
  )
}

export const KERNELS: Kernels = inNamespace('_C', [
  dynamicScaledFp8Quant,
  dynamicPerTokenScaledFp8Quant,
  dynamicScaledInt8Quant,
])

export const SCHEMAS = `# vLLM csrc/libtorch_stable/torch_bindings.cpp
2025-05..2026-08 _C::dynamic_scaled_fp8_quant(Tensor! result, Tensor input, Tensor! scale) -> ()
2025-05..2026-08 _C::dynamic_per_token_scaled_fp8_quant(Tensor! result, Tensor input, Tensor! scale, Tensor? scale_ub) -> ()
2025-05..2026-08 _C::dynamic_scaled_int8_quant(Tensor! result, Tensor input, Tensor! scale, Tensor!? azp) -> ()
# vLLM csrc/cpu/torch_bindings.cpp
2025-05..2026-08 _C::dynamic_scaled_int8_quant(Tensor! out, Tensor input, Tensor! scale, Tensor!? azp) -> ()`
