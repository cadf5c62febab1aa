/**
 * The products of a mixture of experts as in the SGLang example, one operator per step; the example's Python is the
 * definition.
 */
import { roundFn, roundTo } from '../dtype'
import { type Kernel, type KernelCall, KernelRefusal, tensorArg } from '../kernel'
import { eachKernel } from '../kernels/each'
import { inNamespace, type Kernels } from '../operator'

const RESULT = { name: 'result', kind: 'out' } as const

/** The rows of x are the tokens' choices: all first choices precede all second ones. */
function choicesOf(call: KernelCall, rows: number, of: string): { tokens: number; choices: number } {
  const { shape } = tensorArg(call, of)
  const [tokens, choices] = shape
  if (shape.length !== 2 || tokens! * choices! !== rows)
    throw new KernelRefusal(`\`x\` has ${rows} rows; \`${of}\` of shape [${shape.join(', ')}] must hold as many`)
  return { tokens: tokens!, choices: choices! }
}

/**
 * result[r] = T(x[r] @ w[ids[r % tokens, r / tokens]]), summed in float32.
 * Shapes: x [choices * tokens, k], w [experts, k, n], ids [tokens, choices] int32.
 */
export const groupedMm: Kernel = eachKernel({
  name: 'grouped_mm',
  params: [
    { name: 'x', kind: 'in', rows: true },
    { name: 'w', kind: 'in' },
    { name: 'ids', kind: 'in', rows: true },
    RESULT,
  ],
  outputs(call) {
    const [x, w] = [tensorArg(call, 'x'), tensorArg(call, 'w')]
    if (x.shape.length !== 2 || w.shape.length !== 3 || x.shape[1] !== w.shape[1])
      throw new KernelRefusal(
        `\`x\` and \`w\` must be [rows, k] and [experts, k, n], found [${x.shape.join(', ')}] and [${w.shape.join(', ')}]`,
      )
    choicesOf(call, x.shape[0]!, 'ids')
    return { result: { shape: [x.shape[0]!, w.shape[2]!], dtype: x.dtype } }
  },
  js(call, read) {
    const [x, w, ids] = [read('x'), read('w'), read('ids')]
    const [experts, inner] = tensorArg(call, 'w').shape as [number, number]
    const tokens = tensorArg(call, 'ids').shape[0]!
    return ([row, col]) => {
      const expert = Math.min(Math.max(ids(row! % tokens, Math.floor(row! / tokens)), 0), experts - 1)
      let sum = 0
      for (let k = 0; k < inner; k++) sum += x(row!, k) * w(expert, k, col!)
      return [sum]
    }
  },
  wgsl(call, at, n) {
    const [experts, inner] = tensorArg(call, 'w').shape as [number, number]
    const tokens = n('tokens', tensorArg(call, 'ids').shape[0]!)
    return `  let expert = min(u32(${at('ids', [`i0 % ${tokens}`, `i0 / ${tokens}`])}), ${experts - 1}u);
  var v_result = 0.0;
  for (var k = 0u; k < ${n('inner', inner)}; k++) { v_result += ${at('x', ['i0', 'k'])} * ${at('w', ['expert', 'k', 'i1'])}; }`
  },
})

/**
 * result[t] = T(sum over the choices j of T(x[j * tokens + t] * T(weights[t, j]))).
 * Shapes: x [choices * tokens, n], weights [tokens, choices] float32, result [tokens, n].
 */
export const combine: Kernel = eachKernel({
  name: 'combine',
  params: [{ name: 'x', kind: 'in', rows: true }, { name: 'weights', kind: 'in', rows: true }, RESULT],
  outputs(call) {
    const { shape, dtype } = tensorArg(call, 'x')
    if (shape.length !== 2) throw new KernelRefusal(`\`x\` must be [rows, n], found [${shape.join(', ')}]`)
    return { result: { shape: [choicesOf(call, shape[0]!, 'weights').tokens, shape[1]!], dtype } }
  },
  helpers: (call) => [roundFn(tensorArg(call, 'x').dtype, false)],
  js(call, read) {
    const { dtype, shape } = tensorArg(call, 'x')
    const { tokens, choices } = choicesOf(call, shape[0]!, 'weights')
    const [x, weights] = [read('x'), read('weights')]
    return ([token, col]) => {
      let sum = 0
      for (let j = 0; j < choices; j++)
        sum += roundTo(dtype, x(j * tokens + token!, col!) * roundTo(dtype, weights(token!, j)))
      return [sum]
    }
  },
  wgsl(call, at, n) {
    const { tokens, choices } = choicesOf(call, tensorArg(call, 'x').shape[0]!, 'weights')
    return `  var v_result = 0.0;
  for (var j = 0u; j < ${n('choices', choices)}; j++) {
    v_result += round_T(${at('x', [`j * ${n('tokens', tokens)} + i0`, 'i1'])} * round_T(${at('weights', ['i0', 'j'])}));
  }`
  },
})

export const KERNELS: Kernels = inNamespace('sglang', [groupedMm, combine])
