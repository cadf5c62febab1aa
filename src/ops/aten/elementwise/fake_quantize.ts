/** Fake quantization: values rounded to what an integer type holds, with a mask of those in range. */
import { dtype as dtypeArg } from '../../../fx'
import { type FakeTensor, itemsOf } from '../../fake'
import type { OpDef, Rules } from '../../operator'
import { preservedStrides } from '../../strides'
import { runtimeError } from '../../torch_error'

const PER_TENSOR = 'aten.fake_quantize_per_tensor_affine_cachemask.default'
const PER_TENSOR_OF_TENSORS = 'aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams.default'
const PER_CHANNEL = 'aten.fake_quantize_per_channel_affine_cachemask.default'

const cachemask: OpDef = {
  meta: (c) => {
    const { dtype, shape, device } = c.tensor('self').meta
    const strides = preservedStrides(c.tensor('self').meta)
    return { kind: 'tuple', items: [c.fresh(dtype, shape, device, strides), c.fresh('bool', shape, device, strides)] }
  },
}

export const rules = (): Rules => ({
  'aten.fake_quantize_per_tensor_affine.default': {
    implicit: (c) => itemsOf(c.call(PER_TENSOR, c.all()))![0],
  },
  'aten.fake_quantize_per_tensor_affine.tensor_qparams': {
    implicit: (c) => {
      const [x, scale, zero, min, max] = c.all()
      const enabled = c.call('aten.ones.default', [[1n]], {
        dtype: dtypeArg('int64'),
        device: (x as FakeTensor).meta.device!,
        pin_memory: false,
      })
      return itemsOf(c.call(PER_TENSOR_OF_TENSORS, [x!, scale!, zero!, enabled, min!, max!]))![0]
    },
  },
  'aten.fake_quantize_per_channel_affine': {
    implicit: (c) => itemsOf(c.call(PER_CHANNEL, c.all()))![0],
  },
  'aten.fake_quantize_per_tensor_affine_cachemask aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams':
    cachemask,
  'aten.fake_quantize_per_channel_affine_cachemask': {
    meta: (c) => {
      const axis = c.int('axis')
      if (axis < 0 || axis > c.tensor('self').meta.shape.length)
        throw runtimeError('`axis` must be between 0 and number of dimensions of input')
      return cachemask.meta!(c)
    },
  },
})
