/** `prims.convert_element_type(x, dtype)`: a cast between storage dtypes, as Tensor.to does it. */
import { KernelRefusal, tensorArg, type Kernel } from '../kernel'
import { pointwise, storeAsIs } from '../_C/pointwise'
import { plainSource } from '../_C/source'
import { dtypeInfo } from '../dtype'

export const convertElementType: Kernel = {
  name: 'convert_element_type',
  functional: true,
  params: [
    { name: 'a', kind: 'in', rows: true, aliases: ['self', 'input'] },
    { name: 'dtype', kind: 'attr' },
    { name: 'result', kind: 'out' },
  ],
  outputs(call) {
    const dtype = dtypeInfo(String(call.attrs['dtype']))
    if (!dtype) throw new KernelRefusal(`the dtype ${String(call.attrs['dtype'])} is not supported`)
    return { result: { shape: tensorArg(call, 'a').shape, dtype: dtype.name } }
  },
  reference: (call, memory) => memory.write('result', memory.read('a')),
  plan: (call) => pointwise('convert_element_type', call, plainSource(call, 'a'), 'result', storeAsIs),
}
