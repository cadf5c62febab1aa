/** Copies in another shape: repeat and constant_pad_nd. */
import { bitsOf } from '../../dtype'
import { KernelRefusal, tensorArg, type Kernel, type KernelCall, type Param } from '../../kernel'
import { eachKernel } from './each'

const RESULT: Param = { name: 'result', kind: 'out' }
const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['input'] }
const listOf = (call: KernelCall, name: string): number[] => {
  const v = call.attrs[name]
  return Array.isArray(v) ? v.map(Number) : []
}

/** The tensor side by side with itself, `repeats` times along each dimension: torch.Tensor.repeat. */
const repeat: Kernel = eachKernel({
  name: 'repeat',
  params: [SELF, { name: 'repeats', kind: 'attr' }, RESULT],
  outputs(call) {
    const { shape, dtype } = tensorArg(call, 'self')
    const times = listOf(call, 'repeats')
    const lead = times.length - shape.length
    if (lead < 0) throw new KernelRefusal(`${times.length} repeats are fewer than the ${shape.length} dimensions`)
    return { result: { shape: times.map((n, d) => n * (d < lead ? 1 : shape[d - lead]!)), dtype } }
  },
  js(call, read) {
    const { shape } = tensorArg(call, 'self')
    const x = read('self')
    return (at) => [x(...shape.map((n, d) => at[at.length - shape.length + d]! % n))]
  },
  wgsl(call, at) {
    const { shape } = tensorArg(call, 'self')
    const lead = listOf(call, 'repeats').length - shape.length
    return `  let v_result = ${at(
      'self',
      shape.map((n, d) => `i${lead + d} % ${n}u`),
    )};`
  },
})

/** The tensor with `value` around it; `pad` begins with the last dimension, and cuts where negative: torch.nn.functional.pad. */
const constantPad: Kernel = eachKernel({
  name: 'constant_pad_nd',
  params: [SELF, { name: 'pad', kind: 'attr' }, { name: 'value', kind: 'attr', default: 0 }, RESULT],
  outputs(call) {
    const { shape, dtype } = tensorArg(call, 'self')
    return { result: { shape: shape.map((n, d) => n + before(call, d) + after(call, d)), dtype } }
  },
  js(call, read) {
    const { shape } = tensorArg(call, 'self')
    const x = read('self')
    return (at) => {
      const from = at.map((i, d) => i - before(call, d))
      return [from.every((i, d) => i >= 0 && i < shape[d]!) ? x(...from) : Number(call.attrs['value'])]
    }
  },
  wgsl(call, at, n) {
    const { shape } = tensorArg(call, 'self')
    const own = shape.map((_, d) => `p${d}`)
    return `${own.map((p, d) => `  let ${p} = i32(i${d}) - (${before(call, d)});`).join('\n')}
  var v_result = bitcast<f32>(${n('value', bitsOf(Number(call.attrs['value'])))});
  if (${shape.map((size, d) => `p${d} >= 0 && p${d} < ${size}`).join(' && ') || 'true'}) { v_result = ${at(
    'self',
    own.map((p) => `u32(${p})`),
  )}; }`
  },
})
/** What `pad` says of dimension d: pairs, the last dimension first. */
const padOf = (call: KernelCall, d: number, side: 0 | 1): number =>
  listOf(call, 'pad')[2 * (tensorArg(call, 'self').shape.length - 1 - d) + side] ?? 0
const before = (call: KernelCall, d: number): number => padOf(call, d, 0)
const after = (call: KernelCall, d: number): number => padOf(call, d, 1)

export const FILLED: readonly (readonly [string, Kernel])[] = [
  ['repeat', repeat],
  ['constant_pad_nd', constantPad],
]
