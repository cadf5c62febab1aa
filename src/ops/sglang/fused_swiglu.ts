/** `sglang.fused_swiglu(x, w)`: a matrix product and SwiGLU in one. */
import { matmulPlan, matmulValues } from '../aten/matmul_kernel'
import type { Shader } from '../_C/shader'
import { roundFn, roundTo } from '../dtype'
import { KernelRefusal, tensorArg, type Kernel } from '../kernel'
import { EXP, SILU, silu } from '../silu'

/**
 * p = x @ w in float32, rounded to T; out = T(T(silu(p[:, :n])) * p[:, n:]), T the input's dtype: aten.mm, then
 * silu_and_mul. The SGLang article declares the operator and leaves its body open; a kernel may keep p in float32.
 * Scales of quantised inputs (x_scale, w_scale, o_scale) are not implemented. Shapes: x [m, k], w [k, 2 n], out [m, n].
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
    for (const name of ['x_scale', 'w_scale', 'o_scale'])
      if (call.tensors[name]) throw new KernelRefusal(`quantised inputs (\`${name}\`) are not implemented`)
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
    const p = matmulValues(memory.read('x'), memory.read('w'), 1, m, k, n)
    const out = new Float32Array((m * n) / 2)
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n / 2; j++) {
        const gate = roundTo(x.dtype, p[i * n + j]!)
        const up = roundTo(x.dtype, p[i * n + j + n / 2]!)
        out[(i * n) / 2 + j] = roundTo(x.dtype, silu(gate)) * up
      }
    memory.write('out', out)
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
          shader.helper(roundFn(tensorArg(call, 'x').dtype, false))
          shader.helper(EXP)
          shader.helper(SILU)
          return `fn finish(p: f32, p1: f32, row: u32, col: u32, z: u32) -> u32 {
  return bitcast<u32>(round_T(silu(round_T(p))) * round_T(p1));
}`
        },
      },
      device,
    ),
}
