/**
 * The products of a mixture of experts as in the SGLang example, one operator per step; the example's Python is the
 * definition.
 */
import { load, sum } from '../expr/expr'
import { rounded, within } from '../expr/functions'
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
  values(call, [row, col]) {
    const [experts, inner] = tensorArg(call, 'w').shape as [number, number]
    const tokens = tensorArg(call, 'ids').shape[0]!
    const expert = within(load('ids', row!.mod(tokens), row!.over(tokens)).whole(), experts)
    return [sum(inner, (k) => load('x', row!, k).times(load('w', expert, k, col!)))]
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
  values(call, [token, col]) {
    const { dtype, shape } = tensorArg(call, 'x')
    const { tokens, choices } = choicesOf(call, shape[0]!, 'weights')
    return [
      sum(choices, (j) => {
        const weight = rounded(dtype, load('weights', token!, j))
        return rounded(dtype, load('x', j.times(tokens).plus(token!), col!).times(weight))
      }),
    ]
  },
})

export const KERNELS: Kernels = inNamespace('sglang', [groupedMm, combine])
