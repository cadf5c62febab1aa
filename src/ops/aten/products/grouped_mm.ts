/** Products of groups of rows with one matrix each. */
import { type Kernel, KernelRefusal, tensorArg } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import type { Families, Kernels } from '../../operator'
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
  js(call, read) {
    const [a, b, ends] = [read('self'), read('mat2'), read('offs')]
    const [groups, inner] = tensorArg(call, 'mat2').shape as [number, number]
    return ([row, col]) => {
      let group = 0
      while (group < groups && row! >= ends(group)) group++
      let sum = 0
      if (group < groups) for (let k = 0; k < inner; k++) sum += a(row!, k) * b(group, k, col!)
      return [sum]
    }
  },
  wgsl(call, at, n) {
    const [groups, inner] = tensorArg(call, 'mat2').shape as [number, number]
    return `  let groups = ${n('groups', groups)};
  var g = 0u;
  while (g < groups && f32(i0) >= ${at('offs', ['g'])}) { g++; }
  var v_result = 0.0;
  if (g < groups) {
    for (var k = 0u; k < ${n('inner', inner)}; k++) { v_result += ${at('self', ['i0', 'k'])} * ${at('mat2', ['g', 'k', 'i1'])}; }
  }`
  },
})

export const KERNELS: Kernels = { 'aten._grouped_mm': groupedMm }

export const FAMILIES: Families = {
  matmul: '_grouped_mm _scaled_grouped_mm',
}
