/** Products of groups of rows with one matrix each. */
import { fold, load, sum, where, whole } from '../../expr/expr'
import { type Kernel, KernelRefusal, tensorArg } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import type { Traits, Kernels } from '../../operator'
import { RESULT, SELF } from '../indexing/index_tensor'

/**
 * out[r] = self[r] @ mat2[g], g the group of row r: `offs` holds where each group ends. Rows after the last are zeros.
 * torch.nn.functional.grouped_mm of [m, k] and [groups, k, n].
 */
const groupedMm: Kernel = eachKernel({
  name: '_grouped_mm',
  params: [
    SELF,
    { name: 'mat2', kind: 'in' },
    { name: 'offs', kind: 'in', optional: true },
    { name: 'bias', kind: 'in', optional: true },
    { name: 'out_dtype', kind: 'attr', default: null },
    RESULT,
  ],
  outputs(call) {
    const [a, b] = [tensorArg(call, 'self'), tensorArg(call, 'mat2')]
    const { shape: ends } = tensorArg(call, 'offs')
    if (call.tensors['bias']) throw new KernelRefusal('a bias is not handled')
    if (a.shape.length !== 2 || b.shape.length !== 3 || a.shape[1] !== b.shape[1] || ends[0] !== b.shape[0])
      throw new KernelRefusal(
        `only [m, k] with [groups, k, n] is handled, found [${a.shape.join(', ')}] and [${b.shape.join(', ')}] in ${ends[0]} groups`,
      )
    return { result: { shape: [a.shape[0]!, b.shape[2]!], dtype: a.dtype } }
  },
  values(call, [row, col]) {
    const [groups, inner] = tensorArg(call, 'mat2').shape as [number, number]
    const [group] = fold(groups, [whole(0)], (g, [n]) => [where(row!.ge(load('offs', g).whole()), n!.plus(1), n!)])
    const terms = where(group!.lt(groups), whole(inner), whole(0))
    return [sum(terms, (k) => load('self', row!, k).times(load('mat2', group!, k, col!)))]
  },
})

export const KERNELS: Kernels = { 'aten._grouped_mm': groupedMm }

export const TRAITS: Traits = {
  matmul: '_grouped_mm _scaled_grouped_mm',
}
