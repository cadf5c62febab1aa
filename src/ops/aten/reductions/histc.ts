/** Histograms. */
import { load, number, sum, where, whole } from '../../expr/expr'
import { type Kernel, type KernelCall, KernelRefusal, numel, tensorArg } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import type { Kernels, Rules } from '../../operator'
import { RESULT, SELF } from '../indexing/index_tensor'

const byBins = eachKernel({
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
  values(call, [bin]) {
    const [low, high, bins] = rangeOf(call)
    const { shape } = tensorArg(call, 'self')
    return [
      sum(numel(shape), (r) => {
        const v = load('self', ...shape.map((n, d) => r.over(numel(shape.slice(d + 1))).mod(n)))
        const at = v
          .minus(low)
          .over(high - low)
          .times(bins)
          .whole()
        const own = where(at.ge(bins), whole(bins - 1), at).eq(bin!)
        return where(
          v
            .ge(number(low))
            .and(v.le(number(high)))
            .and(own),
          1,
          0,
        )
      }),
    ]
  },
})

/**
 * Counts of elements in `bins` equal intervals from min to max; elements outside are ignored: torch.histc. The CPU visits
 * each element once, a GPU once for each bin: threads do not share counts.
 */
const histc: Kernel = {
  ...byBins,
  reference(call, memory) {
    const [low, high, bins] = rangeOf(call)
    const counts = new Float32Array(bins)
    for (const v of memory.read('self'))
      if (v >= low && v <= high) counts[Math.min(Math.floor(((v - low) / (high - low)) * bins), bins - 1)]!++
    memory.write('result', counts)
  },
}

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
