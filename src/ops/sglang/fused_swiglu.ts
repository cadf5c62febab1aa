/** `sglang.fused_swiglu(x, w)`: a matrix product fused with SwiGLU, optionally FP8 with scales. */
import { requireOneScale } from '../_C/static_quant'
import { type DTypeName, DTYPES } from '../dtype'
import { saturated } from '../expr/codes'
import { type Expr, load, number } from '../expr/expr'
import { rounded, silu } from '../expr/functions'
import { type Kernel, type KernelCall, KernelRefusal, tensorArg } from '../kernel'
import { matmulKernel } from '../kernels/matmul'
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

/** The stored value, computed from the product's gate and up. */
function activated(call: KernelCall, gate: Expr, up: Expr): Expr {
  const { dtype } = tensorArg(call, 'x')
  if (!isQuantized(call)) {
    const round = (v: Expr): Expr => rounded(dtype, v)
    return round(round(silu(round(gate))).times(round(up)))
  }
  const between = call.attrs[BETWEEN]
  const round = (v: Expr): Expr => (typeof between === 'string' ? rounded(between as DTypeName, v) : v.f32())
  const scale = load('w_scale').times(load('x_scale')).f32()
  const read = (p: Expr): Expr => round(p.times(scale).f32())
  const inverse = number(1).over(load('o_scale')).f32()
  return saturated(
    dtype,
    round(round(silu(read(gate))).times(read(up)))
      .times(inverse)
      .f32(),
  )
}

/**
 * p = x @ w in float32, rounded to T; out = T(T(silu(p[:, :n])) * p[:, n:]), T the input's dtype: aten.mm, then
 * silu_and_mul. The SGLang article declares the operator and leaves its body open; a kernel may keep p in float32.
 * With the three scales, of FP8: p is scaled by x_scale * w_scale, all stays in float32, and
 * out = f8(clamp(silu(gate) * up * (1 / o_scale), -448, 448)), as SGLang's Triton kernel has it.
 * Shapes: x [m, k], w [k, 2 n], out [m, n].
 */
export const fusedSwiglu: Kernel = matmulKernel({
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
  product: (call) => ({ a: 'x', b: 'w', out: 'out', halves: 2, finish: (p, p1) => activated(call, p, p1) }),
  counterfactuals: (call) =>
    isQuantized(call)
      ? (['float16', 'bfloat16'] as const).map((dtype) => ({
          id: `round-${dtype}`,
          text: `does not round the product, silu(gate) and their product to ${dtype} before quantizing`,
          attrs: { [BETWEEN]: dtype },
        }))
      : [],
})

export const KERNELS: Kernels = inNamespace('sglang', [fusedSwiglu])
