/**
 * Sums of float32 in the order of PyTorch's CPU kernel (aten/src/ATen/native/cpu/SumKernel.cpp, `vectorized_inner_sum`,
 * `row_sum` and `multi_row_sum`), to the bit: a sum a unit off moves a row's root mean square, and with it some values of
 * the row by two units of bfloat16 or float16.
 */
const f = Math.fround

/** Lanes of an AVX2 vector, and the number of vectors summed in parallel. */
const LANES = 8
const VECTORS = 4
const LEVELS = 4

/** Number of additions to a partial sum before it moves up a level, as a power of two, if each addition takes `steps`. */
const levelPower = (steps: number): number => Math.max(4, Math.floor(Math.ceil(Math.log2(Math.max(1, steps))) / LEVELS))

/** The sum of `value(i)`, i below `n`, each rounded to float32. */
export function torchSum(n: number, value: (i: number) => number): number {
  const lanes = n < LANES ? 1 : LANES
  const side = lanes * VECTORS
  const vectors = Math.floor(n / lanes)
  const steps = Math.floor(vectors / VECTORS)
  const power = levelPower(steps)
  const partial = new Float32Array(side)
  const levels = Array.from({ length: LEVELS }, () => new Float32Array(side))
  const [lowest] = levels as [Float32Array]
  for (let i = 0; i < steps;) {
    for (let lane = 0; lane < side; lane++) lowest[lane]! += f(value(i * side + lane))
    i++
    for (let j = 1; j < LEVELS && i % 2 ** (power * j) === 0; j++) {
      const [from, to] = [levels[j - 1]!, levels[j]!]
      for (let lane = 0; lane < side; lane++) to[lane]! += from[lane]!
      from.fill(0)
    }
  }
  for (let lane = 0; lane < side; lane++) partial[lane] = levels.reduce((sum, level) => f(sum + level[lane]!), 0)
  for (let at = steps * side; at < vectors * lanes; at++) partial[at % lanes]! += f(value(at))
  let sum = 0
  for (let at = vectors * lanes; at < n; at++) sum = f(sum + f(value(at)))
  for (let lane = 0; lane < lanes; lane++) {
    const [a, b, c, d] = [0, 1, 2, 3].map((k) => partial[k * lanes + lane]!) as [number, number, number, number]
    sum = f(sum + f(f(f(a + b) + c) + d))
  }
  return sum
}
