/** Histograms. */
import { bitsOf } from '../../dtype'
import { type Kernel, type KernelCall, KernelRefusal, numel, tensorArg } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import type { Kernels, Rules } from '../../operator'
import { RESULT, SELF } from '../indexing/index_tensor'

/** Counts of elements in `bins` equal intervals from min to max; elements outside are ignored: torch.histc. */
const histc: Kernel = eachKernel({
  name: 'histc',
  params: [
    SELF,
    { name: 'bins', kind: 'attr', default: 100 },
    { name: 'min', kind: 'attr', default: 0 },
    { name: 'max', kind: 'attr', default: 0 },
    RESULT,
  ],
  outputs(call) {
    const { dtype } = tensorArg(call, 'self')
    if (Number(call.attrs['max']) <= Number(call.attrs['min']))
      throw new KernelRefusal('a range determined by the elements (min equal to max) is not supported')
    return { result: { shape: [Number(call.attrs['bins'])], dtype } }
  },
  js(call, read) {
    const [low, high, bins] = rangeOf(call)
    const { shape } = tensorArg(call, 'self')
    const x = read('self')
    const counts = new Array<number>(bins).fill(0)
    const index = shape.map(() => 0)
    for (let e = 0; e < numel(shape); e++) {
      const v = x(...index)
      if (v >= low && v <= high) counts[Math.min(Math.floor(((v - low) / (high - low)) * bins), bins - 1)]!++
      for (let d = shape.length - 1; d >= 0 && ++index[d]! === shape[d]; d--) index[d] = 0
    }
    return ([bin]) => [counts[bin!]!]
  },
  wgsl(call, at, n) {
    const [low, high, bins] = rangeOf(call)
    const { shape } = tensorArg(call, 'self')
    const number = (name: string, v: number): string => `bitcast<f32>(${n(name, bitsOf(v))})`
    const rest = shape.map((_, d) => `(r / ${numel(shape.slice(d + 1))}u) % ${shape[d]}u`)
    return `  var v_result = 0.0;
  let low = ${number('low', low)};
  let high = ${number('high', high)};
  for (var r = 0u; r < ${n('elements', numel(shape))}; r++) {
    let v = ${at('self', rest)};
    if (v >= low && v <= high && min(u32((v - low) / (high - low) * ${bins}.0), ${bins - 1}u) == i0) { v_result += 1.0; }
  }`
  },
})

const rangeOf = (call: KernelCall): [number, number, number] => [
  Number(call.attrs['min']),
  Number(call.attrs['max']),
  Number(call.attrs['bins']),
]

export const rules = (): Rules => ({
  'aten.histc': {
    meta: (c) => c.fresh(c.tensor('self').meta.dtype, [c.dim('bins')], c.tensor('self').meta.device),
  },
})

export const KERNELS: Kernels = { 'aten.histc': histc }
